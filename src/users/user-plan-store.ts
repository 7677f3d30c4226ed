import { insertionOf, notByCopy } from '../database/insert-rows.ts'
import { eachFound, sentRows } from '../database/sent-rows.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import {
  type Filling,
  type NamedUsers,
  type Person,
  type PlannedUser,
  type UserPlan,
  userDetails,
} from './user-plan.ts'
import { type UserRecord, userColumns } from './user-store.ts'

/** A user that was named; or, of an address that nobody has, what tells it apart if that is not the address itself. */
export type NamedUserRow = Omit<PlannedUser, 'user_id'> & {
  user_id: string | null
  email_key: string | null
  sent_email: string | null
  sent_email_key: string | null
}

const columns = raw(['user_id', ...userDetails, 'owner_ids', 'email_key'].join(', '))
const found = raw(
  ['user_id', ...userDetails, 'owner_ids', 'email_key'].map((name) => `found.${name}`).join(', '),
)

/** Finds the users that people name, by id, number or address. */
export function findNamedUsers(corp_id: string, people: Person[]): Statement {
  const ids = people.flatMap(({ user_id }) => user_id ?? [])
  const numbers = people.filter(({ area_code, mobile }) => area_code && mobile)
  const emails = people.flatMap(({ email }) => email ?? [])
  return sql`
    -- Ready before the lookup: behind row-level security an index is not searched for what a function still has to make.
    with emails as materialized (
      select email, lower(email) as email_key from unnest(${[...new Set(emails)]}::text[]) as e (email))
    select null as sent_email, null as sent_email_key, ${columns}
      from users
     where corp_id = ${corp_id} and user_id = any(${[...new Set(ids)]}::text[])
    union all
    select null, null, ${found}
      from unnest(${numbers.map(({ area_code }) => area_code)}::text[],
                  ${numbers.map(({ mobile }) => mobile)}::text[]) as numbers (area_code, mobile)
           ${eachFound(sql`
           select ${columns} from users u
            where u.corp_id = ${corp_id} and u.area_code = numbers.area_code and u.mobile = numbers.mobile`)}
    union all
    select emails.email, emails.email_key, ${found}
      from emails
      left join lateral (
           select ${columns} from users u
            where u.corp_id = ${corp_id} and u.email_key = emails.email_key limit 1) found on true
     where found.user_id is not null or emails.email_key <> emails.email`
}

export function namedUsersOf(rows: NamedUserRow[]): NamedUsers {
  const users = new Map<string, PlannedUser>()
  const emailKeys = new Map<string, string>()
  for (const { sent_email, sent_email_key, email_key, ...user } of rows) {
    if (sent_email !== null) emailKeys.set(sent_email, sent_email_key!)
    if (user.user_id === null) continue
    if (user.email) emailKeys.set(user.email, email_key!)
    users.set(user.user_id, user as PlannedUser)
  }
  return { users: [...users.values()], emailKeys }
}

/**
 * What stores a plan, to be run in one transaction. Whoever has lost a race fails against a unique index, with nothing
 * stored. Users are locked and inserted in the same order by everybody, so that no two wait for each other.
 */
export function storeUserPlan(corp_id: string, { filled, made }: UserPlan): Statement[] {
  const statements: Statement[] = []
  if (filled.size > 0) {
    const fillings = [...filled.values()]
    statements.push(lockUsers(corp_id, fillings), fillUsers(corp_id, fillings))
  }
  if (made.size > 0) {
    const records = inOrderOfContacts([...made.values()]).map((user) => {
      const time = user.now.toISOString()
      const rest = { ctime: time, mtime: time, attributes: {}, is_verified: false, version: 1 }
      return { ...user, now: undefined, ...rest }
    })
    // What is absent is null.
    const insertion = insertionOf('users', userColumns, corp_id, records as unknown as UserRecord[])
    statements.push(sql`${insertion} ${notByCopy}`)
  }
  return statements
}

function lockUsers(corp_id: string, fillings: Filling[]): Statement {
  return sql`
    select user_id from users
     where corp_id = ${corp_id} and user_id = any(${fillings.map(({ user_id }) => user_id)}::text[])
     order by user_id
       for no key update`
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
