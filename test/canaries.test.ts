import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { catalogue } from '../src/endpoints.ts'
import { createLog } from '../src/server/log.ts'
import { representativesOf } from './conformance/representatives.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { type Input, parametersOf, validInput } from './conformance/valid-inputs.ts'
import { noteAttempts } from './harness/attempts.ts'
import { canariesIn, canary, canaryFor } from './harness/canary.ts'
import { hireStaff, type TestColleague } from './harness/staff.ts'

const stage = {} as Stage
const lines: string[] = []
let colleague: TestColleague
beforeAll(async () => {
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  Object.assign(stage, await setStage({ log }))
  await stage.server.database.superuser.query('update accounts set rate_limit_per_minute = null')
  colleague = await hireStaff(stage.server, stage.school.corp_id, 'admin')
})
afterAll(() => stage.server?.close())

/** A valid input with canaries in every text, and one with canaries only. */
function inputsOf(endpoint: Endpoint): Input[] {
  const texts = parametersOf(endpoint).filter(({ types }) => types.includes('string'))
  const free = texts.filter(({ name, schema }) => !schema.enum && !/(^|_)id$|date|time/.test(name))
  const canaries = (of: typeof texts) => Object.fromEntries(of.map(({ name }) => [name, canaryFor(name)]))
  const { corp_id } = stage.school
  const all = parametersOf(endpoint)
  return [
    { ...soundInput(endpoint), ...canaries(free) },
    { ...soundInput(endpoint), ...canaries(texts), corp_id },
    { ...Object.fromEntries(all.map(({ name }) => [name, [canaryFor(name)]])), corp_id },
    { ...Object.fromEntries(all.map(({ name }) => [name, { [canary.name]: canaryFor(name) }])), corp_id },
  ]
}

function soundInput(endpoint: Endpoint): Input {
  try {
    return validInput(endpoint, stage.school)
  } catch {
    return { ...(endpoint.example.input as object), corp_id: stage.school.corp_id }
  }
}

/** These responses name the owners by the ids of the call. */
const echoes = new Set(['createOrder', 'updateOrder', 'bulkUpdateUsers'])

test('values that callers send to any operation appear in no log, metric or failure', async () => {
  const { server, tokens } = stage
  const leaks: string[] = []
  let sent = 0
  const send = async (endpoint: Endpoint, input: Input, headers: Record<string, string>, as: string) => {
    sent++
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const isGet = endpoint.method === 'GET'
    const {
      status,
      code,
      msg,
      data,
      headers: answered,
    } = await server.send(isGet ? `${endpoint.path}?${query}` : endpoint.path, {
      method: endpoint.method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(!isGet && { body: JSON.stringify(input) }),
    })
    // Unknown members are named to their sender.
    const head = [...answered].filter(([name]) => name !== 'x-ignored-parameters')
    const told = canariesIn(JSON.stringify([code === 0 ? null : [msg, data], head]))
    if (told.length > 0 && !echoes.has(endpoint.id))
      leaks.push(`${as} ${endpoint.id} ${status} ${code} ${msg}: ${told}`)
  }
  const representatives = new Set(representativesOf(catalogue))
  for (const endpoint of catalogue) {
    const callers: Record<string, Record<string, string>> = {
      account: { Authorization: `Bearer ${tokens.sample}`, 'Idempotency-Key': `${canary.token}-${newId()}` },
      staff: colleague.headers,
    }
    // Refused before their input is read, by shared code.
    if (representatives.has(endpoint))
      Object.assign(callers, {
        stranger: { Authorization: `Bearer ${canary.token}`, 'X-APP-ID': canary.secret },
        intruder: { ...colleague.headers, Cookie: `matricula_session=${canary.token}` },
      })
    // Ends the session that the others need.
    if (endpoint.id === 'endSession') delete callers.staff
    for (const [as, headers] of Object.entries(callers))
      for (const input of inputsOf(endpoint)) await send(endpoint, input, headers, as)
  }
  for (const path of [
    `/${canary.token}`,
    `/receipts/${canary.token}`,
    `/exports/${canary.token}`,
    '/console/people',
  ])
    await fetch(`${server.url}${path}?search=${encodeURIComponent(canary.mobile)}`).then((answer) =>
      answer.text(),
    )
  leaks.push(
    ...canariesIn(await (await fetch(`${server.url}/metrics`)).text()).map((trace) => `metrics: ${trace}`),
  )
  leaks.push(...lines.filter((line) => canariesIn(line).length > 0).map((line) => `log: ${line}`))
  // Lines are written together.
  const logged = lines.join('').split('\n').length
  noteAttempts('canaries sent to operations', sent, leaks.length, `${logged} lines of log`)
  expect([...new Set(leaks)]).toEqual([])
  expect(logged).toBeGreaterThan(sent / 2)
}, 600_000)

test('a statement that fails is logged without its values', async () => {
  const { server, school, tokens } = stage
  const createUser = catalogue.find(({ id }) => id === 'createUser')!
  const before = lines.length
  await server.database.superuser.query(
    `alter table users add constraint no_canary check (email is distinct from 'second.${canary.email}')`,
  )
  const answer = await server.call(
    createUser,
    { corp_id: school.corp_id, email: `second.${canary.email}` },
    { token: tokens.sample },
  )
  await server.database.superuser.query('alter table users drop constraint no_canary')
  expect(answer.code).toBe(50001)
  const logged = lines.slice(before).filter((line) => line.includes('no_canary'))
  expect(logged).toHaveLength(1)
  expect(canariesIn(logged.join())).toEqual([])
})
