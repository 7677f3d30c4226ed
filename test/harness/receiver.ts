import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface Received {
  id: string
  headers: IncomingHttpHeaders
  body: string
}

export type Answering = (received: Received, response: ServerResponse) => void | Promise<void>

/** A receiver of webhooks on this machine. */
export interface TestReceiver {
  url: string
  received: Received[]
  /** The highest number of concurrent requests. */
  most: number
  /** Ids with two concurrent requests. */
  overlaps: string[]
  answer: Answering
  close(): Promise<void>
}

export async function startReceiver(
  answer: Answering = (_, response) => void response.end('ok'),
): Promise<TestReceiver> {
  const inFlight: string[] = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    const id = String(request.headers['webhook-id'])
    if (inFlight.includes(id)) receiver.overlaps.push(id)
    inFlight.push(id)
    receiver.most = Math.max(receiver.most, inFlight.length)
    response.once('close', () => inFlight.splice(inFlight.indexOf(id), 1))
    for await (const chunk of request) chunks.push(chunk)
    const received = { id, headers: request.headers, body: Buffer.concat(chunks).toString() }
    receiver.received.push(received)
    await receiver.answer(received, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    most: 0,
    overlaps: [],
    answer,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
