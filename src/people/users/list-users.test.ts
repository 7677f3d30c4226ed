import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { updateEmail } from '../../changes/contacts/update-contact.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { foldCounts } from '../../search/facet-store.ts'
import { importLead } from '../leads/import-leads.ts'
import { listLeads } from '../leads/list-leads.ts'
import { createTagGroup } from '../tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../user-tags/assign-user-tag.ts'
import { claimUser, releaseUser } from './claims/claim-user.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './list-users.ts'
import { searchUsers } from './search-users.ts'
import { updateOwner } from './update-owner.ts'
import { updatePool } from './update-pool.ts'

const zone = 'America/New_York'
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function openSchool(): Promise<TestLedger & { groups: string[] }> {
  const school = await openLedger(database, zone)
  // The test inserted its user directly.
  await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
  const groups: string[] = []
  for (const attribute of ['string', 'number'])
    groups.push(
      (
        await school.run(createTagGroup, {
          ...{ name: 'G', variable_name: attribute, description: 'G', attribute, category: 'c' },
        })
      ).tags_group_id,
    )
  return { ...school, groups }
}

const names = ['王小明', '王芳', '小王', 'Ann Lee', 'Anna Wang', '欧阳磊']
const pools = ['alive', 'dead', 'public']
const owners = ['a', 'b']
const courses = ['EMBA', 'MBA']
const values = ['5', '5.0', '7']

const who = fc.nat(15)
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), who }),
  fc.record({
    do: fc.constant('lead' as const),
    who,
    name: fc.constantFrom(...names, undefined),
    owner: fc.constantFrom(...owners, undefined),
    course: fc.constantFrom(...courses, undefined),
    source: fc.constantFrom('fair', 'web', undefined),
  }),
  fc.record({ do: fc.constant('tag' as const), who, group: fc.nat(1), value: fc.constantFrom(...values) }),
  fc.record({
    do: fc.constant('owner' as const),
    who,
    owner: fc.constantFrom(...owners),
    isAdded: fc.boolean(),
  }),
  fc.record({ do: fc.constant('pool' as const), who, pool: fc.constantFrom(...pools) }),
  fc.record({ do: fc.constant('claim' as const), who, owner: fc.constantFrom(...owners) }),
  fc.record({ do: fc.constant('release' as const), who, owner: fc.constantFrom(...owners) }),
  fc.record({ do: fc.constant('email' as const), who, address: fc.constantFrom('x@a.com', 'y@a.com') }),
  fc.record({ do: fc.constant('fold' as const) }),
)

const mobileOf = (n: number) => String(13_800_138_000 + n)
const lastDay = 12
const dayOf = (n: number) => `2026-03-${String(n + 1).padStart(2, '0')}`

const days = { start: fc.nat(lastDay), length: fc.nat(lastDay) }
const facets = {
  pool: fc.constantFrom(...pools),
  owner_id: fc.constantFrom(...owners),
  course_code: fc.constantFrom(...courses),
  tag: fc.tuple(fc.nat(1), fc.constantFrom(...values, undefined)),
}
const texts = {
  name: fc.constantFrom('王', '王小', 'an', 'anna', 'lee', '小', '欧阳'),
  mobile: fc.constantFrom('8000', '1380013', '+86 13800138001'),
}
const anyOf = { requiredKeys: [] }
/** Filters by time alone and by one facet are answered from counts. */
const filter = fc.oneof(
  fc.record({ ...facets, ...texts, ...days }, anyOf),
  fc.record(days, anyOf),
  fc.record({ pool: facets.pool, ...days }, anyOf),
  fc.record({ ...facets, ...days }, anyOf),
) as fc.Arbitrary<Asked>

interface Asked {
  pool?: string
  owner_id?: string
  course_code?: string
  tag?: [number, string | undefined]
  name?: string
  mobile?: string
  start?: number
  length?: number
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function play(school: TestLedger & { groups: string[] }, each: Step, now: Date): Promise<void> {
  if (each.do === 'fold') return foldCounts(database.app.of(school.corp_id), school.corp_id)
  const run = (endpoint: unknown, input: object) => school.run(endpoint, { ...input }, now)
  const contact = { area_code: '86', mobile: mobileOf(each.who) }
  if (each.do === 'lead') {
    const { name, course: course_code, source: utm_source, owner } = each
    const owner_ids = owner === undefined ? undefined : [owner]
    const told = Object.entries({ name, course_code, utm_source, owner_ids }).filter(
      ([, value]) => value !== undefined,
    )
    await run(importLead, { ...contact, ...Object.fromEntries(told) })
  }
  const { user_id } = await run(createUser, contact)
  try {
    await change(each, user_id)
  } catch (error) {
    // Refused, so without a trace.
    if (![40901, 40904].includes((error as { code: number }).code)) throw error
  }

  async function change(each: Step, user_id: string): Promise<void> {
    switch (each.do) {
      case 'tag':
        return run(assignUserTag, { user_id, tags_group_id: school.groups[each.group], value: each.value })
      case 'owner':
        return run(updateOwner, {
          user_id,
          owner_id: each.owner,
          event_type: each.isAdded ? 'add' : 'remove',
        })
      case 'pool':
        return run(updatePool, { user_id, pool: each.pool })
      case 'claim':
        return run(claimUser, { user_id, owner_id: each.owner })
      case 'release':
        return run(releaseUser, { user_id, owner_id: each.owner })
      case 'email':
        return run(updateEmail, { user_id, email: each.address })
    }
  }
}

interface Row {
  user_id: string
  name: string | null
  mobile: string | null
  pool: string
  owner_ids: string[]
  ctime: Date
  local_day: string
  tags: { tags_group_id: string; string_value: string | null; number_value: number | null }[]
  courses: string[]
}

/** The expected result, by scanning all records. */
async function everybody(corp_id: string): Promise<Row[]> {
  const { rows } = await database.superuser.query(
    `select u.user_id, u.name, u.mobile, u.pool, u.owner_ids, u.ctime,
            to_char(u.ctime at time zone '${zone}', 'YYYY-MM-DD') as local_day,
            (select coalesce(json_agg(t), '[]') from user_tags t where t.corp_id = u.corp_id and t.user_id = u.user_id) as tags,
            array(select l.fields->>'course_code' from leads l
                   where l.corp_id = u.corp_id and l.user_id = u.user_id and l.fields ? 'course_code') as courses
       from users u where u.corp_id = $1 order by u.ctime, u.user_id collate "C"`,
    [corp_id],
  )
  return rows
}

function isMeant(row: Row, asked: Asked, groups: string[]): boolean {
  const { pool, owner_id, course_code, tag, name, mobile, start, length } = asked
  const words = (row.name ?? '').toLowerCase().split(' ')
  const isNamed = (word: string) =>
    words.some(
      (each) =>
        each.startsWith(word) ||
        (word.length > 1 && /^[王小欧]/.test(each) && each.slice(1).startsWith(word)),
    )
  if (pool !== undefined && row.pool !== pool) return false
  if (owner_id !== undefined && !row.owner_ids.includes(owner_id)) return false
  if (course_code !== undefined && !row.courses.includes(course_code)) return false
  if (tag !== undefined) {
    const [group, value] = tag
    const found = row.tags.find(({ tags_group_id }) => tags_group_id === groups[group])
    if (!found) return false
    if (value !== undefined && group === 0 && found.string_value !== value) return false
    if (value !== undefined && group === 1 && found.number_value !== Number(value)) return false
  }
  if (name !== undefined && !isNamed(name)) return false
  if (mobile === '8000' && !row.mobile?.endsWith('8000')) return false
  if (mobile === '1380013' && !row.mobile?.startsWith('1380013')) return false
  if (mobile?.startsWith('+') && row.mobile !== '13800138001') return false
  if (start !== undefined && row.local_day < dayOf(start)) return false
  if (length !== undefined && row.local_day > dayOf(Math.min(lastDay, (start ?? 0) + length))) return false
  return true
}

test('after any writes, lists, totals and pages equal the records, and so does a rebuild', {
  timeout: 3_600_000,
}, async () => {
  const history = fc.array(fc.tuple(step, fc.nat(lastDay * 24)), { minLength: 5, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(history, fc.array(filter, { minLength: 4, maxLength: 8 }), async (steps, filters) => {
      const school = await openSchool()
      for (const [each, hour] of steps) {
        const now = new Date(Date.parse('2026-03-01T05:00:00Z') + hour * 3_600_000 + 1)
        await play(school, each, now)
      }
      const rows = await everybody(school.corp_id)
      for (const asked of [{} as Asked, ...filters]) {
        const { tag, start, length, ...plain } = asked
        const query = {
          ...plain,
          ...(tag && { tags_group_id: school.groups[tag[0]] }),
          ...(tag?.[1] !== undefined && { tag_value: tag[1] }),
          ...(start !== undefined && { start_date: dayOf(start) }),
          ...(length !== undefined && { end_date: dayOf(Math.min(lastDay, (start ?? 0) + length)) }),
        }
        const wanted = rows.filter((row) => isMeant(row, asked, school.groups)).map(({ user_id }) => user_id)
        const got: string[] = []
        for (let page = 0; page === 0 || got.length < wanted.length; page++) {
          const found = await school.run(listUsers, { ...query, page, page_size: 3 })
          expect(found.total, JSON.stringify(query)).toBe(wanted.length)
          got.push(...found.list.map(({ user_id }: Row) => user_id))
          if (found.list.length === 0) break
        }
        expect(got, JSON.stringify(query)).toEqual(wanted)
      }
      await expectRebuiltAlike(school.corp_id)
    }),
    { numRuns: Number(process.env.MATRICULA_LISTS ?? 12) },
  )
})

async function expectRebuiltAlike(corp_id: string): Promise<void> {
  const kept = async () => {
    await foldCounts(database.app.of(corp_id), corp_id)
    const texts = [
      'select list, facet, time, id from facet_entries where corp_id = $1 order by 1, 2, 3, 4',
      'select list, facet, day::text, rows from facet_counts where corp_id = $1 and rows <> 0 order by 1, 2, 3',
      'select user_id, other_user_id, score, reasons from user_duplicates where corp_id = $1 order by 1, 2',
    ]
    const answers = []
    for (const text of texts) answers.push((await database.superuser.query(text, [corp_id])).rows)
    return answers
  }
  const before = await kept()
  await rebuildDerivedData(database.app.of(corp_id), corp_id)
  expect(await kept()).toEqual(before)
}

test('a rebuild concurrent with writers finds and counts everybody once', async () => {
  const school = await openSchool()
  const { corp_id } = school
  const on = database.app.of(corp_id)
  const create = (n: number) => school.run(createUser, { area_code: '86', mobile: mobileOf(n) })
  for (let n = 0; n < 10; n++) await create(n)
  const { user_id } = await create(0)
  for (let round = 1; round <= 3; round++) {
    const comers = Array.from({ length: 10 }, (_, n) => create(round * 10 + n))
    const cancel = async () => {
      const { order_id } = await school.order({ user_id })
      await school.run(updateStatus, { order_id, status: 'canceled' })
    }
    await Promise.all([rebuildDerivedData(on, corp_id), foldCounts(on, corp_id), cancel(), ...comers])
    const { total, list } = await school.run(listUsers, { page_size: 1000 })
    expect([total, list.length]).toEqual([list.length, (round + 1) * 10 + 1])
  }
  await expectRebuiltAlike(corp_id)
})

test('a late page is found by counts, not by scanning, and rows that leave the list cause no gap', async () => {
  const school = await openSchool()
  for (let n = 0; n < 30; n++)
    await school.run(
      createUser,
      { area_code: '86', mobile: mobileOf(n) },
      new Date(Date.UTC(2026, 2, 1 + (n % 10), n)),
    )
  const all = await school.run(listUsers, { page_size: 1000, start_date: '2026-01-01' })
  const wanted = all.list.map(({ user_id }: Row) => user_id)
  for (const page_size of [1, 7, 10])
    for (let page = 0; page * page_size < wanted.length; page++) {
      const { list } = await school.run(listUsers, { page, page_size, start_date: '2026-01-01' })
      expect(list.map(({ user_id }: Row) => user_id)).toEqual(
        wanted.slice(page * page_size, (page + 1) * page_size),
      )
    }
})

test('a search finds people by typed text, together with every filter of the list', async () => {
  const school = await openSchool()
  const lead = {
    area_code: '86',
    mobile: '13800138000',
    name: '王小明',
    course_code: 'EMBA',
    owner_ids: ['a'],
  }
  await school.run(importLead, lead)
  await school.run(importLead, { ...lead, mobile: '13900139000', name: '王芳', course_code: 'MBA' })
  const search = async (input: Record<string, unknown>) =>
    (await school.run(searchUsers, input)).list.map(({ name }: Row) => name).sort()
  expect(await search({ q: '王' })).toEqual(['王小明', '王芳'])
  expect(await search({ q: '王小' })).toEqual(['王小明'])
  expect(await search({ q: '+86 139-0013-9000' })).toEqual(['王芳'])
  expect(await search({ q: '王', course_code: 'EMBA' })).toEqual(['王小明'])
  expect(await search({ q: '王', pool: 'public', owner_id: 'a' })).toEqual(['王小明', '王芳'])
  expect(await search({ q: '王', pool: 'alive' })).toEqual([])
  expect(await search({ q: 'nobody' })).toEqual([])
})

test('the first and the last lead of a user are its touches', async () => {
  const school = await openSchool()
  const contact = { area_code: '86', mobile: '13800138000' }
  await school.run(
    importLead,
    { ...contact, utm_source: 'fair', bd_vid: 'v1' },
    new Date('2026-03-01T00:00:00Z'),
  )
  await school.run(
    importLead,
    { ...contact, utm_source: 'web', page_id: 'p2' },
    new Date('2026-03-02T00:00:00Z'),
  )
  const { list } = await school.run(listUsers, { mobile: '13800138000' })
  expect(list[0]).toMatchObject({
    first_touch: { utm_source: 'fair', bd_vid: 'v1', page_id: '' },
    last_touch: { utm_source: 'web', bd_vid: '', page_id: 'p2', time: '2026-03-01 19:00:00' },
  })
  const leads = await school.run(listLeads, { utm_source: 'web' })
  expect(leads).toMatchObject({ total: 1, list: [{ lead_id: list[0].last_touch.lead_id, page_id: 'p2' }] })
})
