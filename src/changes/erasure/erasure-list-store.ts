import type { Queryable } from '../../database/database.ts'
import { insertionOf } from '../../database/insert-rows.ts'
import { sql } from '../../database/sql.ts'
import type { ContactKind, SealedKey } from './contact-hash.ts'
import type { ListedLine, ListedPerson } from './erasure-list.ts'
import { findingRegister, type Register, sealedKeyOf } from './tombstone-store.ts'

interface PersonRow {
  user_id: string
  person_id: string
  at: Date
  number: number
}

interface ContactRow {
  contact_hash: string
  kind: ContactKind
  user_id: string
  at: Date
  lifted_at: Date | null
  lifted_by: string | null
  number: number
}

/** The events after a number, as lines of a list. -1 returns all events. */
export async function findEvents(
  on: Queryable,
  corp_id: string,
  above: number,
): Promise<{ lines: ListedLine[]; last: number }> {
  const [people, contacts, [register]] = await on.pipeline<[PersonRow, ContactRow, Register]>([
    sql`
      select user_id, coalesce(person_id, user_id) as person_id, at, number from erased_users
       where corp_id = ${corp_id} and number > ${above} order by number, user_id`,
    sql`
      select contact_hash, kind, user_id, at, lifted_at, lifted_by, number from erasure_tombstones
       where corp_id = ${corp_id} and number > ${above} order by number, contact_hash`,
    findingRegister(corp_id),
  ])
  const lines: ListedLine[] = [
    ...people.map(({ user_id, person_id, at }) => ({
      kind: 'person' as const,
      corp_id,
      user_id,
      person_id,
      at: at.toISOString(),
    })),
    ...contacts.map(({ contact_hash: hash, kind: type, user_id, at, lifted_at, lifted_by }) => ({
      kind: 'contact' as const,
      corp_id,
      hash,
      type,
      user_id,
      at: at.toISOString(),
      lifted_at: lifted_at?.toISOString() ?? null,
      lifted_by,
    })),
  ]
  const key = sealedKeyOf(register)
  if (lines.length > 0 && key)
    lines.unshift({ kind: 'key', corp_id, box: key.secret_box.toString('base64'), key_id: key.secret_key_id })
  return { lines, last: Math.max(above, 0, ...[...people, ...contacts].map(({ number }) => number)) }
}

/** Which of these ids are erased, which are users or payers, and into whom the others were merged. */
export async function findKnownPeople(on: Queryable, corp_id: string, userIds: string[]) {
  const [erased, users, payers, merged] = await on.pipeline<
    [
      { user_id: string },
      { user_id: string },
      { payer_id: string },
      { merged_user_id: string; user_id: string },
    ]
  >([
    sql`select user_id from erased_users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`,
    sql`select user_id from users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`,
    sql`select payer_id from payers where corp_id = ${corp_id} and payer_id = any(${userIds}::text[])`,
    sql`
      select merged_user_id, user_id from merged_users
       where corp_id = ${corp_id} and merged_user_id = any(${userIds}::text[])`,
  ])
  return {
    erased: new Set(erased.map(({ user_id }) => user_id)),
    users: new Set(users.map(({ user_id }) => user_id)),
    payers: new Set(payers.map(({ payer_id }) => payer_id)),
    survivors: new Map(merged.map(({ merged_user_id, user_id }) => [merged_user_id, user_id])),
  }
}

/** The tombstones of these contacts, in force or lifted. */
export async function findKnownContacts(
  on: Queryable,
  corp_id: string,
  hashes: string[],
): Promise<Map<string, { at: string; lifted_at: string | null }>> {
  const rows = await on.query<{ contact_hash: string; at: Date; lifted_at: Date | null }>(sql`
    select contact_hash, at, lifted_at from erasure_tombstones
     where corp_id = ${corp_id} and contact_hash = any(${hashes}::text[])`)
  return new Map(
    rows.map(({ contact_hash, at, lifted_at }) => [
      contact_hash,
      { at: at.toISOString(), lifted_at: lifted_at?.toISOString() ?? null },
    ]),
  )
}

const personColumns = {
  user_id: 'text',
  person_id: 'text',
  executor_id: 'text',
  reason: 'text',
  at: 'timestamptz',
  number: 'bigint',
} as const

/** Stores erasures of people who are not in the database. */
export async function insertListed(
  tx: Queryable,
  corp_id: string,
  people: ListedPerson[],
  { executor_id, reason, number }: { executor_id: string; reason: string; number: number },
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ user_id, person_id, at }) => {
    return { user_id, person_id, executor_id, reason, at, number }
  })
  await tx.query(sql`
    ${insertionOf('erased_users', personColumns, corp_id, rows)}
    on conflict (corp_id, user_id) do nothing`)
}

/** The key from a list, for a database that has none. */
export function listedKey({ box, key_id }: { box: string; key_id: string }): SealedKey {
  return { secret_box: Buffer.from(box, 'base64'), secret_key_id: key_id }
}
