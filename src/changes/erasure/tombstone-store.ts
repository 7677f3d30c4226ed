import type { Organization } from '../../contract/caller.ts'
import type { Queryable, Surveyor } from '../../database/database.ts'
import { type Columns, insertionOf } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp, timestampOrEmpty } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import type { ContactKind, SealedKey } from './contact-hash.ts'

/** The state of the erasures of an organization. */
export interface Register {
  /** The number of the last erasure or lift. */
  last_number: number
  /** Files that wait for their commit have been searched up to this number. */
  files_number: number
  /** Statement lines and rejected rows have been searched up to this number. */
  texts_number: number
  /** Null until a person with a contact is erased. */
  secret_box: Buffer | null
  secret_key_id: string | null
}

export function sealedKeyOf(register: Register | undefined): SealedKey | undefined {
  if (!register?.secret_box || !register.secret_key_id) return undefined
  return { secret_box: register.secret_box, secret_key_id: register.secret_key_id }
}

export function findingRegister(corp_id: string): Statement {
  return sql`
    select last_number, files_number, texts_number, secret_box, secret_key_id
      from erasure_registers where corp_id = ${corp_id}`
}

export async function findRegister(on: Queryable, corp_id: string): Promise<Register | undefined> {
  const [row] = await on.query<Register>(findingRegister(corp_id))
  return row
}

/** The register of an organization, as maintenance compares it. */
export interface RegisterNumbers {
  corp_id: string
  last_number: number
  /** Whether files and texts were searched for everybody in the register. */
  is_searched: boolean
}

/** The registers of all organizations that have erased somebody. */
export async function findRegisters(on: Surveyor): Promise<RegisterNumbers[]> {
  return on.ask<RegisterNumbers>(survey`
    select r.corp_id, r.last_number, r.files_number >= r.last_number and r.texts_number >= r.last_number as is_searched
      from erasure_registers r`)
}

/**
 * Takes the next number for an erasure or a lift. `isTextSearched` says whether texts have been searched already.
 * Locks the register until the end of the transaction.
 */
export async function takeNumber(tx: Queryable, corp_id: string, isTextSearched: boolean): Promise<number> {
  const searched = isTextSearched ? 1 : 0
  // An upsert always returns its row.
  const [row] = await tx.query<Register>(sql`
    insert into erasure_registers (corp_id, last_number, texts_number) values (${corp_id}, 1, ${searched}::bigint)
    on conflict (corp_id) do update
       set last_number = erasure_registers.last_number + 1,
           texts_number = erasure_registers.texts_number + case
             when erasure_registers.texts_number = erasure_registers.last_number then ${searched}::bigint else 0 end
    returning last_number`)
  return row!.last_number
}

/**
 * Locks the register, so that nobody is erased until the end of the transaction. Returns the last number. This is the
 * last lock that a transaction takes.
 */
export async function holdLastNumber(tx: Queryable, corp_id: string): Promise<number> {
  // An upsert always returns its row.
  const [row] = await tx.query<Register>(sql`
    insert into erasure_registers (corp_id, last_number) values (${corp_id}, 0)
    on conflict (corp_id) do update set last_number = erasure_registers.last_number
    returning last_number`)
  return row!.last_number
}

/** Concurrent callers get the same key. */
export async function makeKey(tx: Queryable, corp_id: string, key: SealedKey): Promise<Register> {
  const [, , rows] = await tx.pipeline<[object, object, Register]>([
    sql`insert into erasure_registers (corp_id) values (${corp_id}) on conflict (corp_id) do nothing`,
    sql`
      update erasure_registers set secret_box = ${key.secret_box}, secret_key_id = ${key.secret_key_id}
       where corp_id = ${corp_id} and secret_box is null`,
    findingRegister(corp_id),
  ])
  // Inserted above.
  return rows[0]!
}

/** Replaces the sealed key, unless another process has done so. */
export async function replaceBox(
  on: Queryable,
  corp_id: string,
  before: SealedKey,
  after: SealedKey,
): Promise<void> {
  await on.query(sql`
    update erasure_registers set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
     where corp_id = ${corp_id} and secret_box = ${before.secret_box}`)
}

/** Notes that files or texts have been searched for all erasures up to a number. */
export async function noteSearched(
  on: Queryable,
  corp_id: string,
  what: 'files_number' | 'texts_number',
  number: number,
): Promise<void> {
  await on.query(sql`
    update erasure_registers set ${raw(what)} = greatest(${raw(what)}, ${number}::bigint) where corp_id = ${corp_id}`)
}

/** A contact of an erased person. */
export interface Tombstone {
  contact_hash: string
  kind: ContactKind
  user_id: string
  number: number
  at: Date
  lifted_at: Date | null
  lifted_by: string | null
}

const tombstoneColumns = {
  contact_hash: 'text',
  kind: 'text',
  user_id: 'text',
  number: 'bigint',
  at: 'timestamptz',
  lifted_at: 'timestamptz',
  lifted_by: 'text',
} as const satisfies Columns

/** Inserts tombstones; a new one replaces the old one of the same contact. */
export function insertingTombstones(corp_id: string, tombstones: Tombstone[]): Statement[] {
  if (tombstones.length === 0) return []
  return [
    sql`
      ${insertionOf('erasure_tombstones', tombstoneColumns, corp_id, tombstones)}
      on conflict (corp_id, contact_hash) do update
         set user_id = excluded.user_id, number = excluded.number, at = excluded.at,
             lifted_at = excluded.lifted_at, lifted_by = excluded.lifted_by`,
  ]
}

/** The tombstones in force among these hashes. */
export function findingTombstones(corp_id: string, hashes: string[]): Statement {
  return sql`
    select contact_hash, user_id, at from erasure_tombstones
     where corp_id = ${corp_id} and contact_hash = any(${hashes}::text[]) and lifted_at is null`
}

/** The erased users among these. */
export function findingErased(corp_id: string, userIds: string[]): Statement {
  return sql`
    select user_id, at from erased_users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`
}

/** The hashes to search for in texts: those in force after a number. */
export async function findSoughtHashes(on: Queryable, corp_id: string, above: number): Promise<Set<string>> {
  const rows = await on.query<{ contact_hash: string }>(sql`
    select contact_hash from erasure_tombstones
     where corp_id = ${corp_id} and number > ${above} and lifted_at is null and kind in ('digits', 'email')`)
  return new Set(rows.map(({ contact_hash }) => contact_hash))
}

/** The people whose tombstones in force have these hashes. */
export async function findPeopleByHash(on: Queryable, corp_id: string, hashes: string[]): Promise<string[]> {
  const rows = await on.query<{ user_id: string }>(sql`
    select distinct user_id from erasure_tombstones
     where corp_id = ${corp_id} and contact_hash = any(${hashes}::text[]) and lifted_at is null
     order by user_id`)
  return rows.map(({ user_id }) => user_id)
}

/** Lifts all tombstones of users. Returns the number of contacts that may be imported again. */
export async function liftTombstones(
  tx: Queryable,
  corp_id: string,
  userIds: string[],
  { number, by, now }: { number: number; by: string; now: Date },
): Promise<number> {
  const rows = await tx.query<{ kind: ContactKind }>(sql`
    update erasure_tombstones set number = ${number}, lifted_at = ${now}, lifted_by = ${by}
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[]) and lifted_at is null
    returning kind`)
  return rows.filter(({ kind }) => kind !== 'digits').length
}

interface ErasureRow {
  user_id: string
  kind: 'user' | 'payer'
  time: string
  reason: string
  executor_id: string
  contacts: number
  is_complete: boolean
  lifted_time: string
  lifted_by: string
}

/** Erased people, newest first. A merged user is part of its survivor. */
export async function findErasurePage(
  on: Queryable,
  { corp_id, time_zone }: Pick<Organization, 'corp_id' | 'time_zone'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: ErasureRow[] }> {
  const isPerson = raw('coalesce(e.person_id, e.user_id) = e.user_id')
  const [[counted], list] = await on.pipeline<[{ total: number }, ErasureRow]>([
    sql`select count(*) as total from erased_users e where e.corp_id = ${corp_id} and ${isPerson}`,
    sql`
      select e.user_id, case when exists (select from payers y where y.corp_id = ${corp_id} and y.payer_id = e.user_id)
                             then 'payer' else 'user' end as kind, ${timestamp('e.at', time_zone)} as time, e.reason, e.executor_id, t.contacts,
             e.number <= coalesce(
               (select least(r.files_number, r.texts_number) from erasure_registers r where r.corp_id = ${corp_id}), 0)
               as is_complete,
             ${timestampOrEmpty('t.lifted_at', time_zone)} as lifted_time, coalesce(t.lifted_by, '') as lifted_by
        from erased_users e
       cross join lateral (
             select count(*) filter (where t.kind <> 'digits')::integer as contacts, max(t.lifted_at) as lifted_at,
                    max(t.lifted_by) as lifted_by
               from erasure_tombstones t where t.corp_id = ${corp_id} and t.user_id = e.user_id) t
       where e.corp_id = ${corp_id} and ${isPerson}
       order by e.at desc, e.user_id limit ${limit} offset ${offset}`,
  ])
  return { total: counted?.total ?? 0, list }
}
