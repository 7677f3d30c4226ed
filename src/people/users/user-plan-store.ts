import type { Origin } from '../../contract/origin.ts'
import type { Queryable } from '../../database/database.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { eachFound, sentRows } from '../../database/sent-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { type Alongside, noteUsers } from './note-users.ts'
import { eventOf, insertingEvents } from './user-event-store.ts'
import type { FacetedUser } from './user-facets.ts'
import {
  type Filling,
  type MadeUser,
  type MergedPerson,
  type NamedUsers,
  type Person,
  type PlannedUser,
  type UserPlan,
  userDetails,
} from './user-plan.ts'
import { lockUsers, type StoredUser, selectUsers, type UserRecord, userColumns } from './user-store.ts'

/** A user that was named; or, of an address that nobody has, what tells it apart if that is not the address itself. */
export type NamedUserRow = Omit<PlannedUser, 'user_id'> & {
  user_id: string | null
  email_key: string | null
  sent_email: string | null
  sent_email_key: string | null
  /** Of a user that was found by what one merged into it was known by. */
  merged: MergedPerson | null
}

const foundColumns = ['user_id', ...userDetails, 'owner_ids', 'pool', 'ctime', 'email_key']
const columns = raw(foundColumns.join(', '))
const found = raw(foundColumns.map((name) => `found.${name}`).join(', '))

const mergedNames = ['merged_user_id', 'user_id', 'area_code', 'mobile', 'email_key']
const mergedColumns = raw(mergedNames.join(', '))
const foundMerged = raw(mergedNames.map((name) => `found.${name}`).join(', '))

/** Finds the users that people name, by id, number or address; also by what those were known by who were merged into them. */
export function findNamedUsers(corp_id: string, people: Person[]): Statement {
  const ids = people.flatMap(({ user_id }) => user_id ?? [])
  const numbers = people.filter(({ area_code, mobile }) => area_code && mobile)
  const emails = people.flatMap(({ email }) => email ?? [])
  return sql`
    -- Ready before the lookup: behind row-level security an index is not searched for what a function still has to make.
    with emails as materialized (
      select email, lower(email) as email_key from unnest(${[...new Set(emails)]}::text[]) as e (email))
    select null as sent_email, null as sent_email_key, ${columns}, null::jsonb as merged
      from users
     where corp_id = ${corp_id} and user_id = any(${[...new Set(ids)]}::text[])
    union all
    select null, null, ${found}, null
      from unnest(${numbers.map(({ area_code }) => area_code)}::text[],
                  ${numbers.map(({ mobile }) => mobile)}::text[]) as numbers (area_code, mobile)
           ${eachFound(sql`
           select ${columns} from users u
            where u.corp_id = ${corp_id} and u.area_code = numbers.area_code and u.mobile = numbers.mobile`)}
    union all
    select emails.email, emails.email_key, ${found}, null
      from emails
      left join lateral (
           select ${columns} from users u
            where u.corp_id = ${corp_id} and u.email_key = emails.email_key limit 1) found on true
     where found.user_id is not null or emails.email_key <> emails.email
    union all
    select null, null, ${found}, jsonb_build_object(
             'merged_user_id', m.merged_user_id, 'user_id', m.user_id, 'area_code', m.area_code, 'mobile', m.mobile,
             'email_key', m.email_key)
      from (select ${mergedColumns} from merged_users
             where corp_id = ${corp_id} and merged_user_id = any(${[...new Set(ids)]}::text[])
            union all
            select ${foundMerged}
              from unnest(${numbers.map(({ area_code }) => area_code)}::text[],
                          ${numbers.map(({ mobile }) => mobile)}::text[]) as numbers (area_code, mobile)
                   ${eachFound(sql`
                   select ${mergedColumns} from merged_users
                    where corp_id = ${corp_id} and area_code = numbers.area_code and mobile = numbers.mobile`)}
            union all
            select ${foundMerged}
              from emails
                   ${eachFound(sql`
                   select ${mergedColumns} from merged_users
                    where corp_id = ${corp_id} and email_key = emails.email_key`)}) m
           ${eachFound(sql`select ${columns} from users u where u.corp_id = ${corp_id} and u.user_id = m.user_id`)}`
}

export function namedUsersOf(rows: NamedUserRow[]): NamedUsers {
  const users = new Map<string, PlannedUser>()
  const emailKeys = new Map<string, string>()
  const merged: MergedPerson[] = []
  for (const { sent_email, sent_email_key, email_key, merged: known, ...user } of rows) {
    if (known) merged.push(known)
    if (sent_email !== null) emailKeys.set(sent_email, sent_email_key!)
    if (user.user_id === null) continue
    if (user.email) emailKeys.set(user.email, email_key!)
    users.set(user.user_id, user as PlannedUser)
  }
  return { users: [...users.values()], emailKeys, merged }
}

/**
 * Stores a plan, and what is kept beside users, in the transaction of whatever else the people came with. Whoever has lost
 * a race fails against a unique index. Users are locked and inserted in the same order by everybody, so that no two wait
 * for each other.
 */
export async function storeUserPlan(
  tx: Queryable,
  corp_id: string,
  { filled, made }: UserPlan,
  { writes = [], entries = [], made: others = [], userIds = [], notes = [], turn }: Alongside = {},
): Promise<void> {
  const fills = await storeFillings(tx, corp_id, [...filled.values()])
  const comers = inOrderOfContacts([...made.values()])
  const newcomers = comers.map(recordOf)
  const events = fills.map(({ before, after }) => {
    const { app_id, now } = filled.get(after.user_id)!
    return eventOf('filled', before, after, { executor_id: app_id, at: now })
  })
  await noteUsers(tx, corp_id, [...fills, ...newcomers.map((user) => ({ after: facetedOf(user) }))], {
    writes: [
      // What is absent is null.
      ...insertingRows('users', userColumns, corp_id, newcomers as unknown as UserRecord[]),
      ...insertingEvents(corp_id, events),
      ...writes,
    ],
    entries,
    made: [...newcomers.map(({ user_id }) => user_id), ...others],
    userIds,
    notes: [
      ...fills.map((fill) => userNote(fill.after.user_id, fill, filled.get(fill.after.user_id)!)),
      ...newcomers.map((after, index) => userNote(after.user_id, { after }, comers[index]!)),
      ...notes,
    ],
    ...(turn && { turn }),
  })
}

/** Fills blanks of users; answers those that this has really changed. */
async function storeFillings(
  tx: Queryable,
  corp_id: string,
  fillings: Filling[],
): Promise<{ before: StoredUser; after: StoredUser }[]> {
  if (fillings.length === 0) return []
  const ids = fillings.map(({ user_id }) => user_id)
  const [before, , after] = await tx.pipeline<[StoredUser, object, StoredUser]>([
    lockUsers(corp_id, ids),
    fillUsers(corp_id, fillings),
    selectUsers(corp_id, ids),
  ])
  const earlier = new Map(before.map((user) => [user.user_id, user]))
  return after
    .map((user) => ({ before: earlier.get(user.user_id)!, after: user }))
    .filter(({ before, after }) => before.version !== after.version)
}

function userNote(
  user_id: string,
  images: { before?: object; after: object },
  { origin }: { origin?: Origin },
) {
  return {
    record_type: 'users',
    record_id: user_id,
    person_id: user_id,
    ...images,
    ...(origin && { origin }),
  }
}

function recordOf({ now, app_id: _, origin: __, ...user }: MadeUser) {
  return { ...user, ctime: now, mtime: now, attributes: {}, is_verified: false, version: 1 }
}

function facetedOf(user: ReturnType<typeof recordOf>): FacetedUser {
  const absent = { name: null, email: null, company_name: null, area_code: null, mobile: null }
  const unplanned = { first_name: null, last_name: null, backup_area_code: null, backup_mobile: null }
  return { ...absent, ...unplanned, ...user } as FacetedUser
}

const filledDetails = raw(userDetails.map((name) => `${name} = coalesce(u.${name}, new.${name})`).join(', '))
const someBlankIsFilled = raw(
  userDetails.map((name) => `u.${name} is null and new.${name} is not null`).join(' or '),
)
const fillingColumns = {
  user_id: 'text',
  owner_ids: 'text[]',
  now: 'timestamptz',
  ...(Object.fromEntries(userDetails.map((name) => [name, 'text'])) as Record<
    (typeof userDetails)[number],
    'text'
  >),
} as const

/** Decided again on the record as it is now: a blank that somebody else has filled meanwhile stays as it is. */
function fillUsers(corp_id: string, fillings: Filling[]): Statement {
  return sql`
    update users u
       set ${filledDetails},
           owner_ids = u.owner_ids || array(
             select owner_id from unnest(new.owner_ids) with ordinality as o (owner_id, n)
              where owner_id <> all (u.owner_ids) order by n),
           mtime = new.now, version = u.version + 1
      from ${sentRows('new', fillingColumns, fillings)}
     where u.corp_id = ${corp_id} and u.user_id = new.user_id
       and (not u.owner_ids @> new.owner_ids or ${someBlankIsFilled})`
}

function inOrderOfContacts<User extends PlannedUser>(users: User[]): User[] {
  const keyed = users.map((user) => ({ user, key: `${user.area_code} ${user.mobile} ${user.email}` }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ user }) => user)
}
