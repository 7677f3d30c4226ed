import { insertAccount } from '../src/access/organizations/account-store.ts'
import { lockIssuer, storeIssuer, unnamedIssuer } from '../src/access/organizations/issuer-store.ts'
import { type Keyring, newSecret } from '../src/access/organizations/keyring.ts'
import { insertOrganization, isAnyOrganization } from '../src/access/organizations/organization-store.ts'
import type { Organization } from '../src/contract/caller.ts'
import { permissions } from '../src/contract/caller.ts'
import type { Database, Queryable } from '../src/database/database.ts'
import { insertRows } from '../src/database/insert-rows.ts'
import { refreshStatistics } from '../src/database/schema-store.ts'
import { rebuildDerivedData } from '../src/derived/derived-data.ts'
import { batches, coupons, courses, insertOfferings } from '../src/orders/offerings/offering-store.ts'
import { leadColumns } from '../src/people/leads/lead-store.ts'
import { tagGroupColumns } from '../src/people/tag-groups/tag-group-store.ts'
import { userTagColumns } from '../src/people/user-tags/user-tag-store.ts'
import { followUpColumns } from '../src/people/users/follow-ups/follow-up-store.ts'
import { userColumns } from '../src/people/users/user-store.ts'
import { bringToPresent } from './bring-to-present.ts'
import { founded, lastMoment, schoolZone } from './calendar.ts'
import issuer from './content/issuer.json' with { type: 'json' }
import { insertSampleOrders, type SampleOrders } from './insert-orders.ts'
import { owners } from './people.ts'
import { termsAround } from './programs.ts'
import { createRandom } from './random.ts'
import type { SampleFollowUp } from './sample-follow-ups.ts'
import { makeLeads } from './sample-leads.ts'
import { makeOfferings } from './sample-offerings.ts'
import { makeOrders } from './sample-orders.ts'
import { insertAdvisers, insertStaff, makeStaff, type SampleColleague } from './sample-staff.ts'
import { makeTags } from './sample-tags.ts'
import { makeUsers } from './sample-users.ts'

export interface SampleCredentials {
  corp_id: string
  app_id: string
  user_api_secret: string
  staff: SampleColleague[]
}

/** The loaded school, and the data for its finance office. */
export interface LoadedSchool {
  organization: Organization
  keyring: Keyring
  orders: SampleOrders
}

export const sampleCorpId = 'lakeside'

const school: Organization = {
  corp_id: sampleCorpId,
  name: 'Lakeside Business School 湖畔商学院',
  time_zone: schoolZone,
  currency: 'CNY',
  country: 'CN',
  pools: ['alive', 'dead', 'public'],
  is_suspended: false,
  over_quota: [],
}

const account = {
  app_id: 'lakeside-sample',
  name: 'Sample account of Lakeside Business School',
  permissions: [...permissions],
  time_stamps: 'any' as const,
  rate_limit_per_minute: null,
  expires_at: null,
  allowed_networks: [],
  signs_money: false,
  secret_id: 'first',
  secret_expires_at: null,
  corp_ids: [school.corp_id],
}

/** Without it, the sample ends in October 2026 and is the same on every day. */
interface Present {
  /** The sample ends on the day before. */
  now: Date
  /** Adds to the school in the same transaction. */
  add?(tx: Queryable, school: LoadedSchool): Promise<void>
}

/**
 * Loads the sample school, which is always the same except for the secret of its account and, with a present, for the
 * days. One transaction: after a kill the database is empty, and the next start loads it again. `keep` stores the
 * credentials before the commit, so that there is never a school without a known secret.
 */
export async function loadSample(
  db: Database,
  keyring: Keyring,
  keep: (credentials: SampleCredentials) => Promise<void>,
  present?: Present,
): Promise<SampleCredentials> {
  const { corp_id } = school
  const { app_id } = account
  const staff = makeStaff()
  const credentials = { corp_id, app_id, user_api_secret: newSecret(), staff }
  const sample = present ? bringToPresent(makeSample(), present.now) : makeSample()
  await db.of(corp_id).transaction(async (tx) => {
    await insertOrganization(tx, school, founded)
    await storeIssuer(tx, corp_id, { ...unnamedIssuer, ...issuer }, await lockIssuer(tx, corp_id, founded))
    await insertAccount(tx, { ...account, ...keyring.seal(app_id, credentials.user_api_secret) }, founded)
    await insertStaff(tx, corp_id, staff, founded)
    await insertAdvisers(tx, corp_id, owners.slice(1), founded)
    await insertRows(tx, 'users', userColumns, corp_id, sample.users)
    await insertRows(tx, 'tag_groups', tagGroupColumns, corp_id, sample.tags.groups)
    await insertRows(tx, 'user_tags', userTagColumns, corp_id, sample.tags.tags)
    await insertRows(tx, 'leads', leadColumns, corp_id, sample.leads)
    await insertOfferings(tx, courses, corp_id, sample.offerings.courses)
    await insertOfferings(tx, batches, corp_id, sample.offerings.batches)
    await insertOfferings(tx, coupons, corp_id, sample.offerings.coupons)
    await insertSampleOrders(tx, { corp_id, time_zone: schoolZone }, sample.orders)
    await insertRows(tx, 'user_follow_ups', followUpColumns, corp_id, sample.follow_ups)
    await rebuildDerivedData(tx, corp_id)
    await present?.add?.(tx, { organization: school, keyring, orders: sample.orders })
    await refreshStatistics(tx)
    await keep(credentials)
  })
  return credentials
}

/** Whether the database has no organization yet. */
export async function isEmptyDatabase(db: Database): Promise<boolean> {
  return !(await isAnyOrganization(db.shared))
}

export type Sample = ReturnType<typeof makeSample>

/** The sample school as it ends in October 2026. */
export function makeSample() {
  const users = makeUsers(createRandom(1))
  const tags = makeTags(createRandom(2), users, account.app_id)
  const leads = makeLeads(createRandom(3), school.corp_id, account.app_id, users, 420)
  const orders = makeOrders(createRandom(4), users, leads)
  const offerings = makeOfferings(termsAround(lastMoment))
  return { users, tags, leads, orders, offerings, follow_ups: [] as SampleFollowUp[] }
}
