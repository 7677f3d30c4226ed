import { createHash } from 'node:crypto'
import type { Queryable } from '../../../database/database.ts'
import { type InsertedRow, insertingRows } from '../../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../../database/sql.ts'
import { type FactTable, type FactTableName, factTableNames, factTables } from './fact-tables.ts'

/** The end of an organization's chain: the hash of its last link, and the number of links. */
export interface ChainEnd {
  head: string
  length: number
}

/** A version to link, with the hash of its content. */
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

/** The hash of a link. The first link follows an empty text. */
export function linkHash(previous: string, contentHash: string): string {
  return createHash('sha256').update(`${previous}${contentHash}`).digest('hex')
}

/**
 * The digest that replaces a text in hashed content. The salt belongs to the order and is erased with the texts, so that
 * texts cannot be guessed. Backslashes are doubled, since decode(…, 'escape') interprets them.
 */
export function textDigest(salt: string, text: string): string {
  return `encode(sha256(decode(replace(coalesce(${salt}, '') || ${text}, '\\', '\\\\'), 'escape')), 'hex')`
}

/** A fact as versions hold it. */
export function recordedFact(row: string, { text, leftOut = [] }: FactTable, salt: string): string {
  const fact = leftOut.length === 0 ? `to_jsonb(${row})` : `(to_jsonb(${row}) - '{${leftOut}}'::text[])`
  if (text === undefined) return fact
  return `${fact} || jsonb_build_object('${text}', ${textDigest(salt, `(${row}).${text}`)})`
}

/** Read where no table has new facts: Citus cannot route a relation without a table. */
const rarest: FactTableName[] = ['order_write_offs']

/**
 * The facts of a version: those of its order since the previous version. `version` is the alias of a row with order_id, at,
 * `since` (see `sinceBefore`) and the salt of the order. Each table is looked up by the order, with or without statistics.
 */
export function factsOfVersion(
  corp_id: string,
  version: string,
  named: FactTableName[] = factTableNames,
): Statement {
  const tables = (named.length > 0 ? named : rarest).map((table) => {
    const fact: FactTable = factTables[table]
    const key = fact.key.map((column) => `t.${column}`).join(', ')
    const since = `t.${fact.at} <= ${version}.at and t.${fact.at} > ${version}.since`
    return sql`
      select ${raw(`'${table}'`)} as name, (
        select jsonb_agg(${raw(recordedFact('t', fact, `${version}.salt`))} order by ${raw(key)}) from ${raw(table)} t
         where t.corp_id = ${corp_id} and t.${raw(`${fact.order} = ${version}.order_id and ${since}`)}) as rows`
  })
  return sql`
    coalesce((
      select jsonb_object_agg(fact.name, fact.rows)
        from (${tables.reduce((all, table) => sql`${all} union all ${table}`)}) fact
       where fact.rows is not null), '{}')`
}

/** The instant of the previous version; -infinity for the first. */
export function sinceBefore(corp_id: string, columns: { order_id: string; version: string }): Statement {
  return sql`
    coalesce((select p.at from order_versions p
               where p.corp_id = ${corp_id} and p.order_id = ${raw(columns.order_id)} and p.version < ${raw(columns.version)}
               order by p.version desc limit 1), '-infinity')`
}

/**
 * The hash of a complete version. It does not depend on session settings, and every function is immutable, as Citus
 * requires in RETURNING. The record holds the digest of the reason.
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

/** The end of the chain, read under the clock. An organization without orders has no row. */
export function chainEndOf(corp_id: string): Statement {
  return sql`
    select chain_head as head, chain_length as length from ledger_clocks where corp_id = ${corp_id}`
}

/** Appends versions to the chain in this order, and returns its new end. */
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
