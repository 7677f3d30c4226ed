import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { endpoints } from '../../src/endpoints.ts'
import { bodyOf } from '../conformance/requests.ts'
import { type Stage, setStage } from '../conformance/stage.ts'
import { type Input, parametersOf, recordParameters, validInput } from '../conformance/valid-inputs.ts'
import { attemptsOf, noteAttempts, seededRandom } from '../harness/attempts.ts'
import type { Answer } from '../harness/server.ts'
import { hire, type Tab } from '../harness/staff.ts'

const probes = attemptsOf('MATRICULA_TENANT_PROBES', 500)
const atOnce = 8
/** Each caller is limited per minute; more callers can make more calls. */
const colleagues = 8

let stage: Stage
let tabs: Tab[]
const random = seededRandom()

beforeAll(async () => {
  stage = await setStage()
  await stage.server.database.superuser.query('update accounts set rate_limit_per_minute = null')
  tabs = await Promise.all(
    Array.from(
      { length: colleagues },
      async () => (await hire(stage.server, 'admin', stage.school.corp_id)).tab,
    ),
  )
})
afterAll(() => stage?.server.close())

const ofOrganization = endpoints.filter(({ scope }) => scope === 'organization')
const sound = new Map<Endpoint, Input>()

test('foreign and missing records have the same response for every caller, without foreign data', async () => {
  const { school, otherSchool, tokens, server } = stage
  const secrets = [otherSchool.user_id, otherSchool.order_id, otherSchool.lead_id, otherSchool.payment_id]
  const callers: { name: string; call(endpoint: Endpoint, input: Input): Promise<Answer> }[] = [
    { name: 'token', call: (endpoint, input) => server.call(endpoint, input, { token: tokens.sample }) },
    { name: 'both', call: (endpoint, input) => server.call(endpoint, input, { token: tokens.both }) },
    { name: 'session', call: (endpoint, input) => random.pick(tabs).call(endpoint, input) },
    {
      name: 'header',
      call: (endpoint, input) =>
        server.call(endpoint, input, {
          token: tokens.sample,
          headers: { 'X-APP-ID': otherSchool.account.app_id },
        }),
    },
  ]
  const leaks: string[] = []
  let made = 0

  async function probe(): Promise<void> {
    const endpoint = random.pick(ofOrganization)
    const { name, call } = random.pick(callers)
    const names = parametersOf(endpoint).map((parameter) => parameter.name)
    const records = recordParameters.filter((each) => names.includes(each) && otherSchool[each] !== undefined)
    // A foreign organization, or a foreign record in the caller's own organization.
    const parameter = random.pick(['corp_id', ...records] as const)
    if (parameter === 'corp_id' && name === 'both') return
    const input = inputFor(endpoint)
    made += 2
    const foreign = await call(endpoint, { ...input, [parameter]: otherSchool[parameter] })
    const absent = await call(endpoint, { ...input, [parameter]: newId() })
    const title = `${endpoint.id} ${parameter} by ${name}`
    const sameText = (answer: Answer) => JSON.stringify(answer.code === 0 ? answer.code : bodyOf(answer))
    if (foreign.status === 429) leaks.push(`${title}: was not tried`)
    else if (foreign.code === 0 && parameter === 'corp_id') leaks.push(`${title}: was answered`)
    else if (sameText(foreign) !== sameText(absent))
      leaks.push(`${title}: ${sameText(foreign)} ${sameText(absent)}`)
    const text = JSON.stringify(foreign.data)
    const asked = otherSchool[parameter]
    for (const secret of secrets)
      if (secret !== asked && text.includes(secret)) leaks.push(`${title}: shows ${secret}`)
  }

  function inputFor(endpoint: Endpoint): Input {
    try {
      sound.set(endpoint, validInput(endpoint, school))
    } catch {
      // Stock may be used up. The last input was still valid when it was built.
    }
    return sound.get(endpoint) ?? {}
  }

  while (made < probes && leaks.length < 20) await Promise.all(Array.from({ length: atOnce }, probe))
  noteAttempts('cross-tenant probes', made, leaks.length)
  expect(leaks, `seed ${random.seed}`).toEqual([])
}, 7_200_000)
