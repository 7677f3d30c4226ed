import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchSession } from '../../src/access/staff/create-session.ts'
import { verifyToken } from '../../src/access/tokens/issue-token.ts'
import { forgedTokens } from '../conformance/forged-tokens.ts'
import { attemptsOf, noteAttempts, seededRandom } from '../harness/attempts.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire } from '../harness/staff.ts'

const attempts = attemptsOf('MATRICULA_FORGERIES', 1500)
const atOnce = 16

let server: TestServer
let token: string
let cookie: string
const random = seededRandom()

beforeAll(async () => {
  server = await startTestServer()
  token = await server.tokenOf(server.sample)
  cookie = (await hire(server, 'admin', server.sample.corp_id)).tab.cookie!
})
afterAll(() => server?.close())

test('no token and no session that was not issued is accepted', async () => {
  expect((await askWithToken(token)).code).toBe(0)
  expect((await askWithCookie(cookie)).code).toBe(0)
  const known = Object.values(forgedTokens(token))
  const [name, value] = cookie.split('=') as [string, string]
  const accepted: string[] = []
  let made = 0

  async function forge(): Promise<void> {
    const isToken = random.below(2) === 0
    const genuine = isToken ? token : value
    const forged = isToken && random.below(10) === 0 ? random.pick(known) : changed(genuine)
    if (forged === genuine) return
    made++
    const answer = isToken ? await askWithToken(forged) : await askWithCookie(`${name}=${forged}`)
    if (answer.code === 0 || answer.status !== 401)
      accepted.push(`${forged}: ${answer.status} ${answer.code}`)
  }

  while (made < attempts && accepted.length < 20) await Promise.all(Array.from({ length: atOnce }, forge))
  noteAttempts('forged tokens and sessions', made, accepted.length)
  expect(accepted, `seed ${random.seed}`).toEqual([])
}, 7_200_000)

/** The genuine one with a change at some place, or a random one of its kind. */
function changed(genuine: string): string {
  const place = random.below(genuine.length)
  const letter = random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'])
  switch (random.below(6)) {
    case 0:
      return genuine.slice(0, place)
    case 1:
      return genuine.slice(0, place) + letter + genuine.slice(place)
    case 2:
      return randomBytes(32).toString('base64url')
    case 3:
      return genuine.split('.').toReversed().join('.')
    default: {
      // The last letters of a part hold unused bits.
      const part = genuine.slice(0, place) + letter + genuine.slice(place + 1)
      return sameBytes(part, genuine) ? randomBytes(32).toString('base64url') : part
    }
  }
}

function sameBytes(a: string, b: string): boolean {
  const bytes = (text: string) =>
    text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
  return bytes(a).join('.') === bytes(b).join('.')
}

const askWithToken = (forged: string) => server.call(verifyToken, {}, { token: forged })
const askWithCookie = (forged: string) =>
  server.call(fetchSession, {}, { token: null, headers: { Cookie: forged, 'Sec-Fetch-Site': 'same-origin' } })
