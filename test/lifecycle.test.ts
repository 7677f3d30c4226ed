import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { attemptsOf } from './harness/attempts.ts'
import { type OpenIdProvider, type People, startOpenIdProvider } from './harness/openid-provider.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { playLifecycle, type Step, stepKinds } from './lifecycle/play.ts'

const publicUrl = new URL('http://localhost:4998')

let server: TestServer
let provider: OpenIdProvider
beforeAll(async () => {
  // Behind one proxy, so that each history can have its own client address.
  server = await startTestServer('matricula', { publicUrl, privateProviders: true, trustProxy: 1 })
  // The provider confirms the address that people log in with.
  const people = new Proxy<People>({}, { get: (_, email) => ({ email: String(email) }) })
  provider = await startOpenIdProvider(publicUrl.origin, people)
})
afterAll(async () => {
  await provider?.close()
  await server?.close()
})

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...stepKinds),
  tab: fc.nat(9),
  school: fc.nat(1),
  email: fc.nat(3),
  role: fc.nat(9),
  pick: fc.nat(9),
})

const histories = attemptsOf('MATRICULA_LIFECYCLES', 8)

const title = 'every session reaches exactly what the model says, through random histories of two schools'

// Thousands of histories take almost an hour.
test(title, { timeout: 7_200_000 }, async () => {
  const history = fc.array(step, { minLength: 8, maxLength: 14 })
  // Histories are independent: while one waits for a password hash or the database, another continues.
  const atOnce = fc.tuple(history, history, history, history)
  const play = (steps: Step[]) => playLifecycle(server, provider, publicUrl.origin, steps)
  await fc.assert(
    fc.asyncProperty(atOnce, async (played) => {
      const outcomes = await Promise.allSettled(played.map(play))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    }),
    { numRuns: Math.ceil(histories / 4) },
  )
})
