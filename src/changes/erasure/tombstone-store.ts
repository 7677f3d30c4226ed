import type { Queryable } from '../../database/database.ts'
import { type Columns, insertionOf } from '../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import type { ContactKind, SealedKey } from './contact-hash.ts'

/** What an organization knows of its erasures as a whole. */
export interface Register {
  /** Of the last erasure or lift. */
  last_number: number
  /** Up to here, files that wait for their commit have been searched. */
  files_number: number
  /** The same of statement lines and rejected rows. */
  texts_number: number
  /** Null until somebody with a contact is erased. */
  secret_box: Buffer | null
  secret_key_id: string | null
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

/**
 * The number of an erasure or a lift, whose texts have been searched already or are still to be. The register is held
 * until the transaction ends.
 */
export async function takeNumber(tx: Queryable, corp_id: string, isTextSearched: boolean): Promise<number> {
  const searched = isTextSearched ? 1 : 0
  const [row] = await tx.query<Register>(sql`
    insert into erasure_registers (corp_id, last_number, texts_number) values (${corp_id}, 1, ${searched}::bigint)
    on conflict (corp_id) do update
       set last_number = erasure_registers.last_number + 1,
           texts_number = erasure_registers.texts_number + case
             when erasure_registers.texts_number = erasure_registers.last_number then ${searched}::bigint else 0 end
    returning last_number`)
  return row!.last_number
}

/** Holds the register, so that nobody is erased until the transaction ends; answers the last number. Taken last of all locks. */
export async function holdLastNumber(tx: Queryable, corp_id: string): Promise<number> {
  const [row] = await tx.query<Register>(sql`
    insert into erasure_registers (corp_id, last_number) values (${corp_id}, 0)
    on conflict (corp_id) do update set last_number = erasure_registers.last_number
    returning last_number`)
  return row!.last_number
}

/** Two who make the first key at the same moment have the same one afterwards. */
export async function makeKey(tx: Queryable, corp_id: string, key: SealedKey): Promise<Register> {
  const [, , rows] = await tx.pipeline<[object, object, Register]>([
    sql`insert into erasure_registers (corp_id) values (${corp_id}) on conflict (corp_id) do nothing`,
    sql`
      update erasure_registers set secret_box = ${key.secret_box}, secret_key_id = ${key.secret_key_id}
       where corp_id = ${corp_id} and secret_box is null`,
    findingRegister(corp_id),
  ])
  return rows[0]!
}

/** Puts the key into another box, unless somebody else has. */
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

/** Notes that files, or texts, have been searched for all who were erased up to a number. */
export async function noteSearched(
  on: Queryable,
  corp_id: string,
  what: 'files_number' | 'texts_number',
  number: number,
): Promise<void> {
  await on.query(sql`
    update erasure_registers set ${raw(what)} = greatest(${raw(what)}, ${number}::bigint) where corp_id = ${corp_id}`)
}

/** A contact of somebody who was erased. */
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

/** A contact that has a tombstone already gets this one in its place. */
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

/** Those in force among these hashes. */
export function findingTombstones(corp_id: string, hashes: string[]): Statement {
  return sql`
    select contact_hash, user_id, at from erasure_tombstones
     where corp_id = ${corp_id} and contact_hash = any(${hashes}::text[]) and lifted_at is null`
}

/** Those of these users who were erased. */
export function findingErased(corp_id: string, userIds: string[]): Statement {
  return sql`
    select user_id, at from erased_users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`
}

/** The hashes to search for in texts: those in force from a number on. */
export async function findSoughtHashes(on: Queryable, corp_id: string, above: number): Promise<Set<string>> {
  const rows = await on.query<{ contact_hash: string }>(sql`
    select contact_hash from erasure_tombstones
     where corp_id = ${corp_id} and number > ${above} and lifted_at is null and kind in ('digits', 'email')`)
  return new Set(rows.map(({ contact_hash }) => contact_hash))
}

/** Whose contacts these are, as far as the tombstones are in force. */
export async function findBuried(on: Queryable, corp_id: string, hashes: string[]): Promise<string[]> {
  const rows = await on.query<{ user_id: string }>(sql`
    select distinct user_id from erasure_tombstones
     where corp_id = ${corp_id} and contact_hash = any(${hashes}::text[]) and lifted_at is null
     order by user_id`)
  return rows.map(({ user_id }) => user_id)
}

/** Lifts every tombstone of users; answers how many contacts may come in again. */
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
