import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession } from '../src/access/staff/create-session.ts'
import { createExport } from '../src/backoffice/finance/exports/create-export.ts'
import { bulkUpdateUsers } from '../src/changes/bulk-edits/bulk-update.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { worksReadOnly } from '../src/contract/guard.ts'
import { catalogue } from '../src/endpoints.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { fingerprint } from './conformance/school.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { type Input, validInput } from './conformance/valid-inputs.ts'
import { hire, hireStaff, openTab, password, type TestColleague } from './harness/staff.ts'

/** Every operation while the service is read-only. */

const stage = {} as Stage
let admin: TestColleague
let email: string
beforeAll(async () => {
  Object.assign(stage, await setStage({}, 20))
  admin = await hireStaff(stage.server, stage.school.corp_id, 'admin')
  ;({ email } = await hire(stage.server, 'viewer', stage.school.corp_id))
  // Sessions note when they were last seen. With a fixed time, nothing else is written.
  stage.server.setNow(new Date())
  stage.server.setReadOnly(true)
})
afterAll(() => stage.server?.close())

const readOnly = 50302

/** The example. Its records do not exist, but the refusal comes first. */
function inputOf(endpoint: Endpoint): Input {
  const { corp_id } = stage.school
  const input: Input = { ...endpoint.example.input, ...(endpoint.scope === 'organization' && { corp_id }) }
  return input.dry_run === true ? { ...input, dry_run: false } : input
}

/** Staff may call everything; public operations need no caller. */
function call(endpoint: Endpoint, input = inputOf(endpoint)) {
  return endpoint.scope === 'account'
    ? stage.server.call(endpoint, input)
    : endpoint.scope === 'public'
      ? openTab(stage.server).call(endpoint, input)
      : admin.call(endpoint, input)
}

describe('while the service is read-only', () => {
  test('every operation that changes something is refused, and changes nothing', async () => {
    const refused = catalogue.filter((endpoint) => !worksReadOnly(endpoint))
    expect(refused.length).toBeGreaterThan(80)
    const before = await fingerprint(stage.server)
    const codes = await Promise.all(refused.map(async (each) => [each.id, (await call(each)).code]))
    expect(codes).toEqual(refused.map(({ id }) => [id, readOnly]))
    expect(await fingerprint(stage.server)).toEqual(before)
  })

  test('every other operation works: reads, and those whose contract gives a reason', async () => {
    for (const endpoint of catalogue.filter(worksReadOnly)) {
      // Ends the session of the others.
      if (endpoint.id === 'endSession' || endpoint.id === 'confirmSession') continue
      expect([endpoint.id, (await call(endpoint)).code]).not.toEqual([endpoint.id, readOnly])
    }
  })

  test('operations that write nevertheless are those to sign in and to export', () => {
    const reasoned = catalogue.filter(({ method, guard }) => method === 'POST' && guard.whileReadOnly)
    expect(reasoned.map(({ id }) => id).toSorted()).toEqual([
      ...['beginPasskeyConfirmation', 'beginPasskeySignIn', 'beginProviderSignIn', 'confirmSession'],
      ...['createExport', 'createSession', 'endSession', 'enterByLink', 'issueToken'],
      ...['signInByPasskey', 'signInByProvider'],
    ])
    // A contract that only reads gives no reason.
    const needless = catalogue.filter(
      ({ method, guard }) => guard.whileReadOnly && (method === 'GET' || guard.effect === 'reads'),
    )
    expect(needless).toEqual([])
  })

  test('a refusal names the mode and the time of a retry', async () => {
    const answer = await stage.server.call(createUser, validInput(createUser, stage.school))
    expect(answer.msg).toContain('read-only')
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('a dry run works', async () => {
    const input = validInput(bulkUpdateUsers, stage.school)
    expect((await call(bulkUpdateUsers, { ...input, dry_run: true })).code).toBe(0)
    expect((await call(bulkUpdateUsers, { ...input, dry_run: false })).code).toBe(readOnly)
  })

  test('people sign in and export', async () => {
    const tab = openTab(stage.server)
    expect((await tab.call(createSession, { email, password })).code).toBe(0)
    expect((await call(createExport, validInput(createExport, stage.school))).code).toBe(0)
  })

  test('/readyz stays 200, and both pages of health say so', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, data } = await stage.server.send(path)
      expect([status, data.is_read_only]).toEqual([200, true])
    }
  })

  test('afterwards, the same calls work', async () => {
    stage.server.setReadOnly(false)
    expect((await stage.server.call(createUser, validInput(createUser, stage.school))).code).toBe(0)
    stage.server.setReadOnly(true)
  })
})
