// Records the payments that a payment gateway notifies of. The gateway repeats a notification until it is answered with 2xx.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ConnectionError, type Currency, Matricula, MatriculaError, Money } from '@matricula/client'

const {
  MATRICULA_URL = '',
  MATRICULA_APP_ID = '',
  MATRICULA_SECRET = '',
  MATRICULA_CORP_ID = '',
} = process.env
const m = new Matricula({
  baseUrl: MATRICULA_URL,
  appId: MATRICULA_APP_ID,
  secret: MATRICULA_SECRET,
  corpId: MATRICULA_CORP_ID,
})

interface Notification {
  id: string
  order_id: string
  amount: string
  currency: Currency
  charge_id: string
}

async function record({ id, order_id, amount, currency, charge_id }: Notification) {
  const price = Money.parse(amount, currency)
  // The id of the notification is the key: one payment, for any number of repetitions in any process.
  return m.payments.create(
    { order_id, price: price.minor, currency, charge_id, source: 'payment_gateway', provider: 'example-pay' },
    { idempotencyKey: `example-pay-${id}` },
  )
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  let body = ''
  for await (const chunk of request) body += chunk
  try {
    const { payment_id, order_status } = await record(JSON.parse(body) as Notification)
    response.writeHead(200).end(JSON.stringify({ payment_id, order_status }))
  } catch (error) {
    const isPassing = (error instanceof MatriculaError || error instanceof ConnectionError) && error.retryable
    // 503: the gateway sends it again later. 422: it never helps to repeat it, so somebody has to look at it.
    response.writeHead(isPassing ? 503 : 422).end(String(error))
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(JSON.stringify(server.address())))
