import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import type { Queryable } from '../src/database/database.ts'
import { importLead } from '../src/people/leads/import-leads.ts'
import { storeLead } from '../src/people/leads/store-leads.ts'
import { createTagGroup } from '../src/people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../src/people/user-tags/assign-user-tag.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { findOrMakeUser } from '../src/people/users/find-or-make-users.ts'
import { findProfile } from '../src/people/users/profile-store.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { waitFor } from './harness/process.ts'
import { type Answer, startTestServer, type TestServer } from './harness/server.ts'

/** Calls that wait at the same time share statements, without a visible effect. */
let server: TestServer
let school: TestOrganization

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server.close())

const atOnce = (count: number, work: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const codes = (answers: Answer[]) => [...new Set(answers.map(({ code }) => code))].sort()
const rows = async (text: string) =>
  (await server.database.superuser.query(text.replaceAll('CORP', `'${school.corp_id}'`))).rows

describe('many concurrent calls', () => {
  test('take far fewer statements than calls, each with its own response', async () => {
    const { corp_id } = school
    const on = server.db.of(corp_id)
    let statements = 0
    const count = () => statements++
    server.db.pool.on('acquire', count)
    const ids = Array.from({ length: 200 }, () => newId())
    const made = await Promise.all(
      ids.map((user_id) =>
        findOrMakeUser(on, corp_id, {
          person: { email: `${user_id}@example.com` },
          newUser: { user_id, pool: 'public', now: new Date(), app_id: 'test', reach: 'everyone' },
        }),
      ),
    )
    expect(made.map(({ user, isMade }) => [user.user_id, isMade])).toEqual(ids.map((id) => [id, true]))
    const profiles = await Promise.all(ids.map((id) => findProfile(on, { corp_id, time_zone: 'UTC' }, id)))
    expect(profiles.map((user) => JSON.parse(user!.profile).user_id)).toEqual(ids)
    server.db.pool.off('acquire', count)
    // All arrive at once: four groups of writers, which read and then store, and one of readers.
    expect(statements).toBeLessThanOrEqual(10)
  })

  test('do not fail because the database refuses one of them', async () => {
    await rows(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on leads for each row when (new.entry_id like 'poison%') execute function refuse()`)
    const answers = await atOnce(120, (n) =>
      school.call(importLead, {
        area_code: '86',
        mobile: String(13_700_000_000 + n),
        entry_id: n % 40 === 7 ? `poison-${n}` : `sound-${n}`,
      }),
    )
    await rows('drop trigger refuse on leads; drop function refuse')
    for (const [n, { code }] of answers.entries()) expect(code, `call ${n}`).toBe(n % 40 === 7 ? 50001 : 0)
    const kept = await rows(
      `select entry_id, lead_id from leads where corp_id = CORP and entry_id like 'sound-%'`,
    )
    expect(kept).toHaveLength(117)
    for (const { entry_id, lead_id } of kept)
      expect(answers[Number(entry_id.slice('sound-'.length))]!.data.lead_id).toBe(lead_id)
    const orphans = await rows(`
      select 1 from users u where corp_id = CORP and mobile like '137%'
         and not exists (select 1 from leads l where l.corp_id = u.corp_id and l.user_id = u.user_id)`)
    expect(orphans).toEqual([])
  })

  test('with broken connections are neither lost nor served twice', async () => {
    const answers: Answer[] = []
    let [broken, isWritten] = [0, false]
    // Breaks all connections repeatedly, each time after some responses over new ones.
    const breakSome = async () => {
      for (let round = 0; round < 6; round++) {
        const ended = await rows(`select pg_terminate_backend(pid) from pg_stat_activity
                     where datname = current_database() and usename = 'matricula_app'`)
        broken += ended.length
        const next = answers.length + 20
        await waitFor(() => isWritten || answers.length >= next)
      }
    }
    const write = async (n: number) => {
      for (let round = 0; round < 6; round++) {
        const name = `break ${n} ${round}`
        const answer = await school.call(importLead, {
          area_code: '86',
          mobile: String(13_600_000_000 + n),
          name,
        })
        answers.push({ ...answer, msg: name })
      }
    }
    const writing = Promise.all(Array.from({ length: 60 }, (_, n) => write(n))).finally(() => {
      isWritten = true
    })
    await Promise.all([breakSome(), writing])
    expect(broken).toBeGreaterThan(0)
    const kept = await rows(
      `select fields->>'name' as name, count(*)::int as leads from leads
        where corp_id = CORP and fields->>'name' like 'break%' group by 1`,
    )
    expect(kept.filter(({ leads }) => leads > 1)).toEqual([])
    const names = new Set(kept.map(({ name }) => name))
    for (const { code, msg } of answers) if (code === 0) expect(names.has(msg), msg).toBe(true)
    expect(codes(answers).filter((code) => ![0, 50301].includes(code))).toEqual([])
  })
})

test('a commit is not repeated if only its confirmation was lost', async () => {
  const on = server.db.of(school.corp_id)
  const losingTheNews: Queryable = {
    ...on,
    async transaction(work) {
      await on.transaction(work)
      throw new Error('Connection terminated unexpectedly')
    },
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) =>
      storeLead(losingTheNews, school.corp_id, {
        lead_id: newId(),
        app_id: 'lost',
        entry_id: null,
        fields: {},
        person: { area_code: '86', mobile: String(13_500_000_000 + n) },
        newUser: { user_id: newId(), pool: 'public', now: new Date(), app_id: 'test', reach: 'everyone' },
      }),
    ),
  )
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/terminated/) },
    })
  expect(await rows(`select lead_id from leads where corp_id = CORP and app_id = 'lost'`)).toHaveLength(8)
})

test('concurrent leads with any users, numbers and owners have the results of sequential ones', async () => {
  const person = fc.nat(5)
  const lead = fc.record({
    person,
    byId: fc.boolean(),
    owners: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
    city: fc.option(fc.constantFrom('上海', '北京'), { nil: undefined }),
    entry: fc.option(fc.nat(3), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(lead, { minLength: 2, maxLength: 24 }), async (leads) => {
      const run = newId()
      const mobileOf = (n: number) => String(18_600_000_000 + Number.parseInt(run.slice(-6), 16) * 10 + n)
      const known = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          school.call(createUser, { area_code: '86', mobile: mobileOf(n) }),
        ),
      )
      const answers = await Promise.all(
        leads.map(({ person, byId, owners, city, entry }) =>
          school.call(importLead, {
            ...(byId
              ? { user_id: known[person]!.data.user_id }
              : { area_code: '86', mobile: mobileOf(person) }),
            owner_ids: owners,
            ...(city && { city }),
            ...(entry !== undefined && { entry_id: `${run}-${entry}` }),
          }),
        ),
      )
      for (const { code } of answers) expect([0, 40901]).toContain(code)
      for (const [n, { data }] of known.entries()) {
        const own = leads.filter(({ person }, index) => person === n && answers[index]!.code === 0)
        const [user] = await rows(
          `select owner_ids, city, (select count(distinct lead_id)::int from leads l
             where l.corp_id = u.corp_id and l.user_id = u.user_id) as leads
             from users u where corp_id = CORP and user_id = '${data.user_id}'`,
        )
        const served = leads.flatMap(({ person }, index) =>
          person === n && answers[index]!.code === 0 ? [answers[index]!.data.lead_id] : [],
        )
        expect(user.leads).toBe(new Set(served).size)
        expect(new Set(user.owner_ids)).toEqual(new Set(own.flatMap(({ owners }) => owners)))
        const cities = own.flatMap(({ city }) => city ?? [])
        if (cities.length === 0) expect(user.city).toBeNull()
        else expect(cities).toContain(user.city)
      }
    }),
    { numRuns: 25 },
  )
})

test('concurrent assignments of many groups to many users count each one', async () => {
  const group = { name: 'G', description: 'G', attribute: 'number', category: 'test' }
  const groups = await atOnce(3, () =>
    school.call(createTagGroup, { ...group, variable_name: `v${newId()}` }),
  )
  const users = await atOnce(5, () => school.call(createUser, { email: `${newId()}@example.com` }))
  const answers = await atOnce(300, (n) =>
    school.call(assignUserTag, {
      tags_group_id: groups[n % 3]!.data.tags_group_id,
      user_id: users[n % 5]!.data.user_id,
      value: n === 13 ? 'no number' : String(n),
    }),
  )
  expect(answers.filter(({ code }) => code !== 0).map(({ code }) => code)).toEqual([40002])
  const found = await rows(`select entity_id, version from user_tags where corp_id = CORP`)
  expect(found).toHaveLength(15)
  expect(found.reduce((sum, { version }) => sum + version, 0)).toBe(299)
  expect(new Set(answers.flatMap(({ code, data }) => (code === 0 ? [data] : [])))).toEqual(
    new Set(found.map(({ entity_id }) => entity_id)),
  )
})
