import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateEmail } from '../src/changes/contacts/update-contact.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { importLead } from '../src/people/leads/import-leads.ts'
import { createTagGroup, updateTagGroup } from '../src/people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../src/people/user-tags/assign-user-tag.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { updateOwner } from '../src/people/users/update-owner.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { type Answer, startTestServer, type TestServer } from './harness/server.ts'

/** Everything here is sent at once, over HTTP, to the real server. */
let server: TestServer
let school: TestOrganization

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server.close())

const crowd = 200

describe('simultaneous creations of one user', () => {
  test('by mobile create one, and report it as new to one caller', async () => {
    const contact = { area_code: '86', mobile: '13800138000' }
    const answers = await atOnce(crowd, () => call(createUser, contact))
    expectOneMade(answers)
    expect(await count('users where mobile = $2', contact.mobile)).toBe(1)
  })

  test('by e-mail in any letter case create one, and report it as new to one caller', async () => {
    const spellings = ['race@example.com', 'RACE@example.com', 'Race@Example.com', 'rAcE@EXAMPLE.COM']
    const answers = await atOnce(crowd, (n) => call(createUser, { email: spellings[n % spellings.length] }))
    expectOneMade(answers)
    expect(await count(`users where lower(email) = $2`, 'race@example.com')).toBe(1)
  })

  test('of many different users create each one once', async () => {
    const answers = await atOnce(crowd, (n) =>
      call(createUser, { area_code: '1', mobile: String(2_025_550_000 + (n % 40)) }),
    )
    expect(new Set(answers.map(({ data }) => data.user_id)).size).toBe(40)
    expect(answers.filter(({ data }) => !data.is_user_exists)).toHaveLength(40)
  })
})

test('one address for many users goes to one of them; the others are refused', async () => {
  const users = await atOnce(40, (n) => makeUser(`4420${7_000_000 + n}`))
  const answers = await Promise.all(
    users.map((user_id) => call(updateEmail, { user_id, email: 'prize@example.com' })),
  )
  expect(codesOf(answers)).toEqual({ 0: 1, 40901: 39 })
  expect(await count('users where email_key = $2', 'prize@example.com')).toBe(1)
})

test('simultaneous assignments of one group to one user are one row with all of them counted', async () => {
  const user_id = await makeUser('13800138001')
  const tags_group_id = await makeGroup('number')
  const answers = await atOnce(crowd, (n) =>
    call(assignUserTag, { user_id, tags_group_id, value: String(n) }),
  )
  expect(codesOf(answers)).toEqual({ 0: crowd })
  expect(new Set(answers.map(({ data }) => data)).size).toBe(1)
  const rows = await read('entity_id, version from user_tags where corp_id = $1 and user_id = $2', user_id)
  expect(rows).toEqual([{ entity_id: answers[0]!.data, version: crowd }])
})

describe('simultaneous changes of owners', () => {
  test('the same owner, added by everybody, is stored once', async () => {
    const user_id = await makeUser('13800138002')
    const add = { user_id, owner_id: 'adviser', event_type: 'add' }
    const answers = await atOnce(crowd, () => call(updateOwner, add))
    for (const { data } of answers) expect(data).toEqual({ user_id, owner_id: ['adviser'] })
    expect(await ownersOf(user_id)).toEqual(['adviser'])
  })

  test('different owners are all stored, once each, in the order of the responses', async () => {
    const user_id = await makeUser('13800138003')
    const answers = await atOnce(50, (n) =>
      call(updateOwner, { user_id, owner_id: `adviser-${n}`, event_type: 'add' }),
    )
    const owners = await ownersOf(user_id)
    expect([...owners].sort()).toEqual(Array.from({ length: 50 }, (_, n) => `adviser-${n}`).sort())
    for (const { data } of answers) expect(data.owner_id).toEqual(owners.slice(0, data.owner_id.length))
  })

  test('adding some while removing others loses neither', async () => {
    const user_id = await makeUser('13800138004')
    for (let n = 0; n < 20; n++) await call(updateOwner, { user_id, owner_id: `old-${n}`, event_type: 'add' })
    await atOnce(40, (n) => {
      const change =
        n % 2 === 0
          ? { owner_id: `old-${n / 2}`, event_type: 'remove' }
          : { owner_id: `new-${n}`, event_type: 'add' }
      return call(updateOwner, { user_id, ...change })
    })
    const owners = await ownersOf(user_id)
    expect(owners).toHaveLength(20)
    expect(owners.every((owner) => owner.startsWith('new-'))).toBe(true)
  })
})

describe('simultaneous imports', () => {
  test.each([
    ['of a person the school does not know', '13800138010', false],
    ['of a known user', '13800138011', true],
  ])('of the same entry, %s, make one lead of one user', async (_, mobile, isKnown) => {
    if (isKnown) await makeUser(mobile)
    const lead = { area_code: '86', mobile, entry_id: `entry-${mobile}`, name: 'Lin', owner_ids: ['a', 'b'] }
    const answers = await atOnce(crowd, () => call(importLead, lead))
    expect(codesOf(answers)).toEqual({ 0: crowd })
    expect(new Set(answers.map(({ data }) => data.lead_id)).size).toBe(1)
    expect(await count('leads where entry_id = $2', lead.entry_id)).toBe(1)
    const users = await read('name, owner_ids from users where corp_id = $1 and mobile = $2', mobile)
    expect(users).toEqual([{ name: 'Lin', owner_ids: ['a', 'b'] }])
  })

  test('of one entry with two contents: one wins, and the refusal of the other names the lead', async () => {
    const answers = await atOnce(100, (n) =>
      call(importLead, {
        area_code: '86',
        mobile: '13800138012',
        entry_id: 'disputed',
        city: n % 2 === 0 ? '上海' : '北京',
      }),
    )
    expect(codesOf(answers)).toEqual({ 0: 50, 40901: 50 })
    const ids = new Set(answers.map(({ data }) => data.lead_id))
    expect(ids.size).toBe(1)
    expect([...ids][0]).toMatch(/^\w+$/)
    const winners = new Set(answers.flatMap(({ code }, n) => (code === 0 ? [n % 2] : [])))
    expect(winners.size).toBe(1)
  })

  test('of one entry for different people leave no user without a lead', async () => {
    const answers = await atOnce(60, (n) =>
      call(importLead, { area_code: '86', mobile: String(15_900_000_000 + n), entry_id: 'one seat' }),
    )
    expect(codesOf(answers)).toEqual({ 0: 1, 40901: 59 })
    expect(await count(`users where mobile like $2`, '159000000%')).toBe(1)
  })

  test('without an entry are separate leads of one user', async () => {
    const answers = await atOnce(100, () => call(importLead, { area_code: '86', mobile: '13800138013' }))
    expect(new Set(answers.map(({ data }) => data.lead_id)).size).toBe(100)
    expect(await count('users where mobile = $2', '13800138013')).toBe(1)
  })

  test('and creations of the same person create one user', async () => {
    const contact = { area_code: '86', mobile: '13800138014' }
    const answers = await atOnce(100, (n) => call(n % 2 === 0 ? createUser : importLead, contact))
    expect(codesOf(answers)).toEqual({ 0: 100 })
    expect(await count('users where mobile = $2', contact.mobile)).toBe(1)
  })
})

test('one variable name for many groups goes to one of them', async () => {
  const answers = await atOnce(100, () => call(createTagGroup, groupFields('string', 'contested')))
  expect(codesOf(answers)).toEqual({ 0: 1, 40901: 99 })
})

test('an attribute that changes during the first assignments always fits the tags', async () => {
  const users = await atOnce(4, (n) => makeUser(`1370013700${n}`))
  const outcomes = new Set<number>()
  for (let round = 0; round < 40; round++) {
    const entity_id = await makeGroup('string')
    const change = { entity_id, ...groupFields('number', entity_id) }
    const assign = (user_id: string) => call(assignUserTag, { user_id, tags_group_id: entity_id, value: '5' })
    // In the first two rounds one side ends before the other begins; afterwards they overlap.
    const isChangeLate = round % 2 === 0
    const assignAll = () => Promise.all(users.map(assign))
    const changeOnce = () => call(updateTagGroup, change)
    const [first, second] = isChangeLate ? [assignAll, changeOnce] : [changeOnce, assignAll]
    const begun: Promise<unknown> = first()
    if (round < 2) await begun
    else for (let turn = 0; turn < round; turn++) await setImmediate()
    const [ofFirst, ofSecond] = await Promise.all([begun, second(), changeOnce()])
    const [assigned, changed] = isChangeLate ? [ofFirst, ofSecond] : [ofSecond, ofFirst]
    expect(codesOf(assigned as Answer[])).toEqual({ 0: users.length })
    outcomes.add((changed as Answer).code)
    const differing = await read(
      `t.entity_id from user_tags t join tag_groups g on g.corp_id = t.corp_id and g.entity_id = t.tags_group_id
        where t.corp_id = $1 and g.entity_id = $2
          and (t.attribute <> g.attribute or (t.number_value is null) <> (g.attribute <> 'number'))`,
      entity_id,
    )
    expect(differing).toEqual([])
  }
  expect([...outcomes].sort()).toEqual([0, 40904])
})

function atOnce<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => work(n)))
}

/** Retries a call that a busy server refused: a refused call has changed nothing. */
async function call(endpoint: Endpoint, input: Record<string, unknown>): Promise<Answer> {
  const answer = await school.call(endpoint, input)
  if (answer.code !== 50301) return answer
  await pause(Number(answer.headers.get('retry-after')) * 1000)
  return call(endpoint, input)
}

async function makeUser(mobile: string): Promise<string> {
  return (await call(createUser, { area_code: '86', mobile })).data.user_id
}

function groupFields(attribute: string, variable_name: string) {
  return { name: 'Group', variable_name, description: 'Of a race', attribute, category: 'races' }
}

async function makeGroup(attribute: string): Promise<string> {
  return (await call(createTagGroup, groupFields(attribute, newId()))).data.tags_group_id
}

function expectOneMade(answers: Answer[]): void {
  expect(codesOf(answers)).toEqual({ 0: answers.length })
  expect(answers.filter(({ data }) => !data.is_user_exists)).toHaveLength(1)
  expect(new Set(answers.map(({ data }) => data.user_id)).size).toBe(1)
}

function codesOf(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

async function read(selection: string, value: string): Promise<Record<string, unknown>[]> {
  return (await server.database.superuser.query(`select ${selection}`, [school.corp_id, value])).rows
}

async function count(rows: string, value: string): Promise<number> {
  const [row] = await read(`count(*)::int as count from ${rows} and corp_id = $1`, value)
  return row!.count as number
}

async function ownersOf(user_id: string): Promise<string[]> {
  const [row] = await read('owner_ids from users where corp_id = $1 and user_id = $2', user_id)
  return row!.owner_ids as string[]
}
