import type { Origin } from '../../contract/origin.ts'
import { recordOf } from '../../contract/record-of.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import { eachFound, insertingRows, sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { type AccompanyingWrites, projectUsers } from './project-users.ts'
import { eventOf, insertingEvents, type UserEvent } from './user-event-store.ts'
import type { FacetedUser } from './user-facets.ts'
import {
  blankTogether,
  type Filling,
  type MadeUser,
  type MergedPerson,
  type NamedUsers,
  type Person,
  type PlannedUser,
  type UserDetail,
  type UserPlan,
  userDetails,
} from './user-plan.ts'
import { lockUsers, type StoredUser, selectUsers, type UserRecord, userColumns } from './user-store.ts'

/**
 * A matching user. For an unknown address, a row without user that gives the key of the address, if it differs from the
 * address.
 */
export type NamedUserRow = Omit<PlannedUser, 'user_id'> & {
  user_id: string | null
  email_key: string | null
  sent_email: string | null
  sent_email_key: string | null
  /** The merged user whose contact or id matched. */
  merged: MergedPerson | null
}

const foundColumns = ['user_id', ...userDetails, 'owner_ids', 'pool', 'ctime', 'email_key']
const columns = raw(
  foundColumns.map((name) => (name === 'birthday' ? `${columnOf(name)} as birthday` : name)).join(', '),
)
const found = raw(foundColumns.map((name) => `found.${name}`).join(', '))

const mergedNames = ['merged_user_id', 'user_id', 'area_code', 'mobile', 'email_key']
const mergedColumns = raw(mergedNames.join(', '))
const foundMerged = raw(mergedNames.map((name) => `found.${name}`).join(', '))

/** Finds the users that match people by id, number or address, also those of users that were merged into them. */
export function findNamedUsers(corp_id: string, people: Person[]): Statement {
  const ids = people.flatMap(({ user_id }) => user_id ?? [])
  const numbers = people.filter(({ area_code, mobile }) => area_code && mobile)
  const emails = people.flatMap(({ email }) => email ?? [])
  return sql`
    -- Computed first: under row-level security, an index condition with a function call would not use the index.
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
    if (sent_email !== null && sent_email_key !== null) emailKeys.set(sent_email, sent_email_key)
    const { user_id } = user
    if (user_id === null) continue
    if (user.email && email_key !== null) emailKeys.set(user.email, email_key)
    users.set(user_id, { ...user, user_id })
  }
  return { users: [...users.values()], emailKeys, merged }
}

/**
 * Stores a plan in the transaction of its accompanying writes, with the derived data of the users. A lost race fails on a
 * unique index. Users are locked and inserted in one order everywhere, so that two transactions cannot deadlock.
 */
export async function storeUserPlan(
  tx: Queryable,
  corp_id: string,
  { filled, made }: UserPlan,
  writes: AccompanyingWrites = {},
): Promise<void> {
  const fills = await storeFillings(tx, corp_id, filled)
  const newUsers = inOrderOfContacts([...made.values()]).map(userRecordOf)
  const transitions = [...fills, ...newUsers.map((after) => ({ after }))]
  await projectUsers(tx, corp_id, transitions, {
    ...writes,
    statements: [
      ...insertingRows('users', userColumns, corp_id, newUsers),
      ...insertingEvents(corp_id, fills.map(fillEventOf)),
      ...(writes.statements ?? []),
    ],
    newIds: [...newUsers.map(({ user_id }) => user_id), ...(writes.newIds ?? [])],
    notes: [
      ...fills.map(({ before, after, filling }) => userNote({ before, after }, filling)),
      ...newUsers.map((after) => userNote({ after }, made.get(after.user_id) ?? {})),
      ...(writes.notes ?? []),
    ],
  })
}

interface FilledUser {
  before: StoredUser
  after: StoredUser
  filling: Filling
}

/** Fills blanks of users. Returns the users that really changed. */
async function storeFillings(
  tx: Queryable,
  corp_id: string,
  fillings: Map<string, Filling>,
): Promise<FilledUser[]> {
  if (fillings.size === 0) return []
  const ids = [...fillings.keys()]
  const { before, after } = await tx.pipeline<{ before: StoredUser; update: object; after: StoredUser }>({
    before: lockUsers(corp_id, ids),
    update: fillUsers(corp_id, [...fillings.values()]),
    after: selectUsers(corp_id, ids),
  })
  const filled = new Map(after.map((user) => [user.user_id, user]))
  return before.flatMap((user) => {
    const [now, filling] = [filled.get(user.user_id), fillings.get(user.user_id)]
    return now && filling && now.version !== user.version ? [{ before: user, after: now, filling }] : []
  })
}

function fillEventOf({ before, after, filling }: FilledUser): UserEvent {
  return eventOf('filled', before, after, { executor_id: filling.app_id, at: filling.now })
}

function userNote(
  images: { before?: object; after: { user_id: string } },
  { origin }: { origin?: Origin },
): AuditNote {
  const { user_id } = images.after
  return {
    record_type: 'users',
    record_id: user_id,
    person_id: user_id,
    ...images,
    ...(origin && { origin }),
  }
}

/** The row of a new user. Details that the person does not have are absent: they are stored as null. */
function userRecordOf({ now, app_id: _, origin: __, birthday, ...user }: MadeUser): UserRecord & FacetedUser {
  const attributes = birthday ? { birthday } : {}
  const record = { ...user, ctime: now, mtime: now, attributes, is_verified: false, version: 1 }
  // A cast, because nulls for all absent columns would be sent with every imported row.
  return record as unknown as UserRecord & FacetedUser
}

/** Orders copy the birthday as one of the further attributes. */
function columnOf(name: string, table = ''): string {
  return name === 'birthday' ? `${table}attributes->>'birthday'` : table + name
}

/** Whether a detail of the row fills a blank of the user u. */
function isFilled(name: UserDetail): string {
  const blanks = (blankTogether[name] ?? [name]).map((each) => `${columnOf(each, 'u.')} is null`)
  return `${blanks.join(' and ')} and new.${name} is not null`
}

const filledDetails = raw(
  userDetails
    .map((name) =>
      name === 'birthday'
        ? `attributes = case when ${isFilled(name)}
             then u.attributes || jsonb_object(array['birthday', new.birthday]) else u.attributes end`
        : `${name} = case when ${isFilled(name)} then new.${name} else u.${name} end`,
    )
    .join(', '),
)
const someBlankIsFilled = raw(userDetails.map((name) => `(${isFilled(name)})`).join(' or '))
const fillingColumns = {
  user_id: 'text',
  owner_ids: 'text[]',
  now: 'timestamptz',
  ...recordOf(userDetails, () => 'text' as const),
} as const

/** Checks each blank again on the current row: a blank that another transaction filled stays as it is. */
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
