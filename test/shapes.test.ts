import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmSession } from '../src/access/staff/confirm-session.ts'
import { exampleUsedCredential } from '../src/access/staff/passkeys/passkey-fields.ts'
import { ApiError } from '../src/contract/errors.ts'
import { inputValidator } from '../src/contract/validate.ts'
import { catalogue } from '../src/endpoints.ts'
import { importLead, importLeads } from '../src/people/leads/import-leads.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { paramsOf } from './conformance/requests.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

/** Operations that take one of several sets of members. */
const shaped = catalogue.filter(({ oneOfSets }) => oneOfSets)

describe.each(shaped.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const optional = new Set(endpoint.oneOfSets!.flat())
  const without = Object.fromEntries(
    Object.entries(endpoint.example.input as object).filter(([name]) => !optional.has(name)),
  )
  const faultOf = (input: Record<string, unknown>) => {
    try {
      inputValidator(endpoint)(input)
      return undefined
    } catch (error) {
      return error as ApiError
    }
  }

  test('without one of its sets is refused with 40001 and the missing members', () => {
    const fault = faultOf(without)
    expect(fault).toBeInstanceOf(ApiError)
    expect(fault!.code).toBe(40001)
    const named = fault!.details.errors!.map(({ param }) => param)
    expect(named.length).toBeGreaterThan(0)
    for (const param of named) expect([...optional]).toContain(param)
  })

  test.each(endpoint.oneOfSets!.filter((set) => set.length > 1))(
    'is refused with 40001: %s lacks %s, and the other way round',
    (...set) => {
      const { [set[0]!]: value } = endpoint.example.input as Record<string, unknown>
      if (value === undefined) return
      const fault = faultOf({ ...without, [set[0]!]: value })
      expect(fault!.code).toBe(40001)
      expect(fault!.details.errors!.map(({ param }) => param)).toContain(set[1])
    },
  )
})

test('a session is confirmed by a password or a passkey: neither is 40001, both are 40002', () => {
  const read = inputValidator(confirmSession)
  const codeOf = (input: Record<string, unknown>) => {
    try {
      read(input)
      return 0
    } catch (error) {
      return (error as ApiError).code
    }
  }
  const password = 'correct horse battery'
  expect([{}, { password }, { password, credential: exampleUsedCredential }].map(codeOf)).toEqual([
    40001, 0, 40002,
  ])
})

describe('over HTTP', () => {
  let server: TestServer
  let school: TestOrganization
  beforeAll(async () => {
    server = await startTestServer('matricula')
    school = await openOrganization(server)
  })
  afterAll(() => server?.close())

  test('corp_id alone is a missing parameter: of user/create, leads/import and a lead of a batch', async () => {
    const user = await school.call(createUser)
    expect(user).toMatchObject({ status: 400, code: 40001 })
    expect(paramsOf(user)).toEqual(['area_code', 'mobile', 'email'])
    const lead = await school.call(importLead)
    expect(lead).toMatchObject({ status: 400, code: 40001 })
    expect(paramsOf(lead)).toEqual(['user_id', 'area_code', 'mobile'])
    const batch = await school.call(importLeads, { leads: [{ name: 'Mei' }] })
    expect(batch.data.list).toMatchObject([{ code: 40001 }])
  })

  test('both shapes of user/create at once are an invalid parameter', async () => {
    const mobile = { area_code: '86', mobile: '13800138000' }
    const both = await school.call(createUser, { ...mobile, email: 'mei@example.com' })
    expect(both).toMatchObject({ status: 400, code: 40002 })
    expect(paramsOf(both)).toEqual(['email'])
  })
})
