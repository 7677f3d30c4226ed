import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { catalogue } from '../../endpoints.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { type AccountWithSecret, createAccount, rotateSecret } from '../organizations/manage-accounts.ts'
import { callSignatureOf } from './call-signature.ts'

let server: TestServer
let school: TestOrganization
let account: AccountWithSecret
let token: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  const wanted = { name: 'Payments', corp_ids: [school.corp_id], signs_money: true }
  account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  token = await server.tokenOf(account)
})
afterAll(() => server?.close())

const { path } = createRefund
const nowSeconds = () => String(Math.floor(Date.now() / 1000))

interface Sent {
  price?: number
  timeStamp?: string
  secret?: string
  signature?: string
}

let price = 0
/** Every body is different, so none was signed before. */
function signed({ timeStamp = nowSeconds(), secret = account.user_api_secret, ...sent }: Sent = {}) {
  price++
  const body = JSON.stringify({
    corp_id: school.corp_id,
    order_id: 'none',
    price: sent.price ?? price,
    reason: 'Agreed',
  })
  const signature =
    sent.signature ?? callSignatureOf(secret, timeStamp, { method: 'POST', path, body: Buffer.from(body) })
  return { body, headers: { 'X-Signature-Timestamp': timeStamp, 'X-Signature': signature } }
}

async function send(body: string, headers: Record<string, string>, at = path): Promise<number> {
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers }
  return (await server.send(at, { method: 'POST', body, headers: all })).code
}

const sendSigned = (sent?: Sent) => {
  const { body, headers } = signed(sent)
  return send(body, headers)
}

describe('a call that moves money, by an account with signs_money', () => {
  test('succeeds with a signature', async () => {
    expect(await sendSigned()).toBe(40402)
    const { body, headers } = signed()
    expect(await send(body, { ...headers, 'X-Signature': headers['X-Signature'].toUpperCase() })).toBe(40402)
  })

  test('is refused without a signature, for every operation', async () => {
    const moving = catalogue.filter(({ movesMoney }) => movesMoney)
    expect(moving.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['createPayment', 'createRefund', 'transferMoney']),
    )
    for (const { path } of moving) expect(await send('{}', {}, path), path).toBe(40112)
    const { body, headers } = signed()
    for (const name of Object.keys(headers)) {
      const { [name as 'X-Signature']: _, ...others } = headers
      expect(await send(body, others as never)).toBe(40112)
    }
  })

  test('is refused if any part of it was changed', async () => {
    const { body, headers } = signed()
    expect(await send(body.replace('none', 'more'), headers)).toBe(40113)
    expect(await send(`${body} `, headers)).toBe(40113)
    expect(await send(body, { ...headers, 'X-Signature-Timestamp': String(Number(nowSeconds()) + 1) })).toBe(
      40113,
    )
    expect(await send(body, headers, '/api/v5/entity/order/payment/create')).toBe(40113)
    expect(await sendSigned({ secret: 'another secret' })).toBe(40113)
    expect(await sendSigned({ signature: '0'.repeat(64) })).toBe(40113)
    expect(await sendSigned({ signature: 'x' })).toBe(40113)
    expect(await send(body, headers)).toBe(40402)
  })

  test('works once, even if sent many times at once', async () => {
    const { body, headers } = signed()
    const codes = await Promise.all(Array.from({ length: 8 }, () => send(body, headers)))
    expect(codes.sort()).toEqual([...Array(7).fill(40114), 40402])
  })

  test('is refused if its time stamp is too far off or invalid', async () => {
    for (const seconds of [-400, 400]) {
      const timeStamp = String(Number(nowSeconds()) + seconds)
      expect(await sendSigned({ timeStamp })).toBe(40114)
    }
    for (const timeStamp of ['1', 'soon', `${nowSeconds()}.5`, `${Date.now()}`])
      expect(await sendSigned({ timeStamp }), timeStamp).toBe(40114)
    expect(await sendSigned({ timeStamp: String(Number(nowSeconds()) - 200) })).toBe(40402)
  })

  test('may be signed with either secret during a replacement', async () => {
    const old = account.user_api_secret
    const rotation = { app_id: account.app_id, oldUntil: new Date(Date.now() + 3_600_000) }
    account = await rotateSecret(server.database.owner, testKeyring, rotation, new Date())
    expect(await sendSigned({ secret: old })).toBe(40402)
    expect(await sendSigned()).toBe(40402)
  })
})

test('other operations and other accounts need no signature', async () => {
  expect((await server.call(listUsers, { corp_id: school.corp_id }, { token })).code).toBe(0)
  expect((await school.call(createRefund, { order_id: 'none', price: 1, reason: 'Agreed' })).code).toBe(40402)
})

test('the openssl command of the manual produces a valid signature', async () => {
  const [timeStamp, body] = [nowSeconds(), '{"price":1}']
  const script = `
    HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
    printf '%s\\nPOST\\n%s\\n%s' "$TS" "$CALL" "$HASH" | openssl dgst -sha256 -r -hmac "$SECRET" | cut -d' ' -f1`
  const env = { ...process.env, BODY: body, TS: timeStamp, CALL: path, SECRET: account.user_api_secret }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
  const wanted = callSignatureOf(account.user_api_secret, timeStamp, {
    method: 'POST',
    path,
    body: Buffer.from(body),
  })
  expect(stdout.trim()).toBe(wanted)
})
