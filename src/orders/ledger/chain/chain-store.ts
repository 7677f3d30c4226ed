import { createHash } from 'node:crypto'
import type { Queryable } from '../../../database/database.ts'
import { type InsertedRow, insertingRows } from '../../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../../database/sql.ts'
import { type FactTable, type FactTableName, factTableNames, factTables } from './fact-tables.ts'

/** The end of an organization's chain: the hash of its last link, and how many there are. */
export interface ChainEnd {
  head: string
  length: number
}

/** A version that is to become a link, with the hash of its content. */
export interface ChainedVersion {
  order_id: string
  version: number
  at: string | Date
  content_hash: string
}

const linkColumns = {
  seq: 'bigint',
  order_id: 'text',
  version: 'integer',
  at: 'timestamptz',
  content_hash: 'text',
  hash: 'text',
} as const

export type Link = { [Name in keyof typeof linkColumns]: NonNullable<InsertedRow<typeof linkColumns>[Name]> }

/** What a link's hash is made of. The first one follows an empty text. */
export function linkHash(previous: string, contentHash: string): string {
  return createHash('sha256').update(`${previous}${contentHash}`).digest('hex')
}

/**
 * What stands for a text in what is hashed. The salt is the order's, and is forgotten with the texts: then nobody can try
 * what they were. Backslashes are doubled, since text becomes bytes by their escapes.
 */
export function textDigest(salt: string, text: string): string {
  return `encode(sha256(decode(replace(coalesce(${salt}, '') || ${text}, '\\', '\\\\'), 'escape')), 'hex')`
}

/** A fact as versions hold it. */
export function recordedFact(row: string, { text }: FactTable, salt: string): string {
  if (text === undefined) return `to_jsonb(${row})`
  return `to_jsonb(${row}) || jsonb_build_object('${text}', ${textDigest(salt, `(${row}).${text}`)})`
}

/** What is looked in where nothing is to be found: a sharded engine has no place for a relation without a table. */
const rarest: FactTableName[] = ['order_write_offs']

/**
 * The facts that came with versions, table by table: those of their orders that have become known since the version
 * before. The versions are a relation with order_id, version, at, `since` as `sinceBefore` makes it, and the salt of the
 * order; each table is read once for all of them, or none but those that are named.
 */
export function factsOfVersions(
  corp_id: string,
  versions: Statement,
  orderIds: string[],
  named: FactTableName[] = factTableNames,
): Statement {
  const tables = (named.length > 0 ? named : rarest).map((table) => {
    const fact: FactTable = factTables[table]
    return sql`
      select n.order_id, n.version, ${raw(`'${table}'`)} as name,
             jsonb_agg(${raw(recordedFact('t', fact, 'n.salt'))} order by ${raw(fact.key.map((column) => `t.${column}`).join(', '))}) as rows
        from ${versions} n
        join ${raw(table)} t on t.corp_id = ${corp_id} and t.${raw(fact.order)} = any(${orderIds})
         and t.${raw(fact.order)} = n.order_id and t.${raw(fact.at)} <= n.at and t.${raw(fact.at)} > n.since
       group by n.order_id, n.version`
  })
  return sql`
    select fact.order_id, fact.version, jsonb_object_agg(fact.name, fact.rows) as facts
      from (${tables.reduce((all, table) => sql`${all} union all ${table}`)}) fact
     group by fact.order_id, fact.version`
}

/** When the version before one was made; before all time where there is none. */
export function sinceBefore(corp_id: string, columns: { order_id: string; version: string }): Statement {
  return sql`
    coalesce((select p.at from order_versions p
               where p.corp_id = ${corp_id} and p.order_id = ${raw(columns.order_id)} and p.version < ${raw(columns.version)}
               order by p.version desc limit 1), '-infinity')`
}

/**
 * The hash of a whole version. Nothing in it depends on the settings of a session, and every function is immutable, as a
 * cluster wants them in RETURNING. The reason is in it by its digest, which the record has.
 */
export function contentHash(version: string): Statement {
  const column = (name: string) => `${version}.${name}`
  const texts = ['order_id', 'change', 'from_status', 'to_status', 'executor_id', 'subject_id']
  const parts = [
    ...texts.map((name) => `quote_nullable(${column(name)})`),
    `${column('version')}::text`,
    `encode(timestamptz_send(${column('at')}), 'hex')`,
    `${column('record')}::text`,
  ]
  return raw(`encode(sha256(decode(replace(${parts.join(` || ' ' || `)}, '\\', '\\\\'), 'escape')), 'hex')`)
}

/** The end of the chain; no row for an organization without a clock, which has no orders yet. Read under the clock. */
export function chainEndOf(corp_id: string): Statement {
  return sql`
    select chain_head as head, chain_length as length from ledger_clocks where corp_id = ${corp_id}`
}

/** Adds versions to the end of the chain, in this order; tells where it ends then. */
export function appendingLinks(
  corp_id: string,
  end: ChainEnd,
  versions: ChainedVersion[],
): { statements: Statement[]; end: ChainEnd } {
  let { head, length } = end
  const links: Link[] = versions.map((version) => {
    head = linkHash(head, version.content_hash)
    return { ...version, seq: ++length, hash: head }
  })
  const statements = [
    ...insertingRows('ledger_chain', linkColumns, corp_id, links),
    sql`update ledger_clocks set chain_head = ${head}, chain_length = ${length}::bigint where corp_id = ${corp_id}`,
  ]
  return { statements, end: { head, length } }
}

export async function appendLinks(
  tx: Queryable,
  corp_id: string,
  before: ChainEnd,
  versions: ChainedVersion[],
): Promise<ChainEnd> {
  const { statements, end } = appendingLinks(corp_id, before, versions)
  await tx.pipeline(statements)
  return end
}
