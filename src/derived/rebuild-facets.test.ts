import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { type LeadOrganization, openLeads } from '../../test/support/lead-import.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { importLead } from '../people/leads/import-leads.ts'
import { createUser } from '../people/users/create-user.ts'
import { listUsers } from '../people/users/list-users.ts'
import { loadSearchKeys } from '../people/users/search/search-keys.ts'
import { searchUsers } from '../people/users/search-users.ts'
import { facetDerivation } from '../search/facet-store.ts'
import { documentDerivation } from '../search/search-index-store.ts'
import { rebuildDerivedData, rebuildOutdated } from './derived-data.ts'
import { facetFingerprint } from './rebuild-facets.ts'

let database: TestDatabase
let org: LeadOrganization
beforeAll(async () => {
  database = await createTestDatabase()
  org = await openLeads(database)
})
afterAll(() => database.drop())

test('a change of the facets has a number of its own', () => {
  // If this fails, raise facetDerivation in src/search/facet-store.ts, or documentDerivation in
  // src/search/search-index-store.ts for a change of the search text, and write the new numbers here.
  expect([facetDerivation, documentDerivation, facetFingerprint.slice(0, 16)]).toEqual([
    4,
    3,
    'f76c3094680dd515',
  ])
})

test('a change of the search keys has a number of its own', async () => {
  // If this fails, raise documentDerivation in src/search/search-index-store.ts, and write the new pair here.
  const keysOf = await loadSearchKeys()
  const text = 'n曾小明 zoe oconnor\nm86 13800138000\nezoe+x@example.com\nhzoe_wx\ncs-2026-1'
  expect([documentDerivation, fingerprint([...keysOf(text)]).slice(0, 16)]).toEqual([3, 'fd9b4f9a3dc9c43c'])
})

test('facets of other code are replaced in batches, and lists agree with their counts at every moment', async () => {
  for (let n = 0; n < 201; n++) await org.call(createUser, { email: `user${n}@example.com` })
  const { user_id } = await org.call(createUser, { area_code: '86', mobile: '13800138000' })
  await org.call(importLead, { user_id, utm_source: 'fair', course_code: 'EMBA' })
  const run = (text: string) => database.superuser.query(text, [org.corp_id])
  await run(`update derived_data_versions set fingerprint = 'older' where corp_id = $1 and name = 'facets'`)
  // Older code had another spelling of one facet, an entry too many, and lacked one.
  await run(`update facet_entries set deriver = 1 where corp_id = $1`)
  await run(
    `update facet_entries set facet = 'pools' || substr(facet, 5) where corp_id = $1 and facet like 'pool:%'`,
  )
  await run(`delete from facet_entries where corp_id = $1 and facet like 'email:user7@%'`)
  await run(
    `update facet_counts set facet = 'pools' || substr(facet, 5) where corp_id = $1 and facet like 'pool:%'`,
  )
  const totals: number[] = []
  const rebuilt = await rebuildOutdated(database.app, {
    async rest() {
      totals.push((await org.call(listUsers, {})).total as number)
    },
  })
  expect(rebuilt).toEqual([{ corp_id: org.corp_id, name: 'facets' }])
  expect(totals.length).toBeGreaterThan(3)
  expect(new Set(totals)).toEqual(new Set([202]))
  const { rows } = await database.superuser.query(
    `select count(*)::integer as entries from facet_entries where corp_id = $1 and (facet like 'pools:%' or deriver <> $2) and list <> 'orders'`,
    [org.corp_id, facetDerivation],
  )
  expect(rows).toEqual([{ entries: 0 }])
  expect(await org.call(searchUsers, { q: 'user7@example.com' })).toMatchObject({ total: 1 })
  expect((await rebuildDerivedData(database.app.of(org.corp_id), org.corp_id)).facets.wasRight).toBe(true)
})
