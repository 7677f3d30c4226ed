import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { tenantTables } from '../../database/tables.ts'
import type { SchoolTable } from './school-tables.ts'

/** A column of a table, and its position in the primary key. */
export interface Column {
  name: string
  type: string
  key: number | null
}

/** A table with its columns, without `corp_id` and generated ones. */
export interface TableShape {
  table: SchoolTable
  hasCorpId: boolean
  columns: Column[]
}

/** The shapes of tables as the database has them. */
export async function readShapes(
  on: Queryable,
  tables: readonly SchoolTable[],
): Promise<Map<string, TableShape>> {
  const rows = await on.query<Column & { table: SchoolTable }>(sql`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
           array_position(i.indkey::smallint[], a.attnum) as key
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.oid = any(${[...tables]}::text[]::regclass[])
     order by c.relname, a.attnum`)
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, all]) => {
      const columns = all.filter(({ name }) => name !== 'corp_id')
      return [table, { table, hasCorpId: columns.length < all.length, columns }]
    }),
  )
}

/** The tables in an order in which each comes after those that it refers to. */
export async function inOrderOfReference(
  on: Queryable,
  tables: readonly SchoolTable[],
): Promise<SchoolTable[]> {
  const rows = await on.query<{ table: SchoolTable; referred: SchoolTable }>(sql`
    select distinct c.relname as table, r.relname as referred
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and k.conrelid = any(${[...tables]}::text[]::regclass[]) and k.conrelid <> k.confrelid`)
  const ordered = new Set<SchoolTable>()
  const add = (table: SchoolTable) => {
    if (ordered.has(table)) return
    for (const each of rows) if (each.table === table && tables.includes(each.referred)) add(each.referred)
    ordered.add(table)
  }
  for (const table of tables) add(table)
  return [...ordered]
}

/** The rows of a table that belong to an organization. An account belongs to the organizations that it is granted. */
function isOf(table: SchoolTable, corp_id: string): Statement {
  if (table === 'accounts')
    return sql`app_id in (select g.app_id from account_organizations g where g.corp_id = ${corp_id})`
  return sql`corp_id = ${corp_id}`
}

export async function countRows(on: Queryable, table: SchoolTable, corp_id: string): Promise<number> {
  const [row] = await on.query<{ rows: number }>(sql`
    select count(*) as rows from ${raw(table)} where ${isOf(table, corp_id)}`)
  return row!.rows
}

/** The tenant tables that have rows of an organization. */
export async function findOccupied(on: Queryable, corp_id: string): Promise<string[]> {
  const found = await on.pipeline<object[]>(
    tenantTables.map((table) => sql`select 1 from ${raw(table)} where corp_id = ${corp_id} limit 1`),
  )
  return tenantTables.filter((_, index) => found[index]!.length > 0)
}

/** Files are stored in pieces of megabytes. */
const smallPage = 4
const largePage = 1000

/**
 * Reads rows in the order of their key, as JSON arrays of texts, which PostgreSQL reads back without loss. `after` holds the
 * key of the last row that was read.
 */
export async function readPage(
  on: Queryable,
  { table, columns }: TableShape,
  corp_id: string,
  after: string[] | undefined,
): Promise<{ rows: string[]; next: string[] | undefined }> {
  const keys = keyColumns(columns)
  const texts = raw(columns.map(({ name }) => `${quoted(name)}::text`).join(', '))
  const limit = columns.some(({ type }) => type === 'bytea') ? smallPage : largePage
  const names = raw(keys.map(({ name }) => quoted(name)).join(', '))
  const isLater =
    after === undefined
      ? sql`true`
      : sql`(${names}) > (${joined(after.map((text, index) => sql`${text}::${raw(keys[index]!.type)}`))})`
  const order = keys.length > 0 ? sql`order by ${names}` : sql``
  const found = await on.query<{ row: string }>(sql`
    select array_to_json(array[${texts}]::text[])::text as row from ${raw(table)}
     where ${isOf(table, corp_id)} and ${isLater} ${order} limit ${limit}`)
  const rows = found.map(({ row }) => row)
  const isLast = keys.length === 0 || rows.length < limit
  return { rows, next: isLast ? undefined : keyOf(rows.at(-1)!, columns, keys) }
}

function keyColumns(columns: Column[]): Column[] {
  return columns.filter(({ key }) => key !== null).sort((a, b) => a.key! - b.key!)
}

function keyOf(row: string, columns: Column[], keys: Column[]): string[] {
  const values: string[] = JSON.parse(row)
  return keys.map((key) => values[columns.indexOf(key)]!)
}

/** Inserts rows that `readPage` has read. */
export async function insertPage(
  tx: Queryable,
  { table, hasCorpId, columns }: TableShape,
  corp_id: string,
  rows: string[],
): Promise<void> {
  const own = hasCorpId ? 'corp_id, ' : ''
  const names = raw(own + columns.map(({ name }) => quoted(name)).join(', '))
  const values = columns.map(({ type }, index) => `(r.cells ->> ${index})::${type}`).join(', ')
  const from = sql`from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) as r(cells) returning 1`
  // Citus turns an insert that returns nothing into a COPY, which row-level security forbids.
  await tx.query(
    hasCorpId
      ? sql`insert into ${raw(table)} (${names}) select ${corp_id}, ${raw(values)} ${from}`
      : sql`insert into ${raw(table)} (${names}) select ${raw(values)} ${from}`,
  )
}

/** The accounts of a file that exist here. */
export async function findAccountIds(on: Queryable, appIds: string[]): Promise<string[]> {
  const rows = await on.query<{ app_id: string }>(sql`
    select app_id from accounts where app_id = any(${appIds}::text[]) order by app_id`)
  return rows.map(({ app_id }) => app_id)
}

/** Without their secrets, webhooks cannot be signed. Until an administrator rotates the secret, nothing is sent. */
export async function pauseWebhooks(tx: Queryable, corp_id: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update webhook_endpoints set is_enabled = false, disabled_reason = 'paused', disabled_at = ${now}
     where corp_id = ${corp_id} and is_enabled
    returning endpoint_id`)
  return rows.length
}

function quoted(name: string): string {
  return `"${name}"`
}

function joined(parts: Statement[]): Statement {
  return parts.reduce((all, part) => sql`${all}, ${part}`)
}

/** Rows that one transaction deletes. */
const deletedAtOnce = 5000

/**
 * Deletes some rows of an organization, and returns their number. The quotes keep the statement out of the audit, which
 * would add an entry to the chain that is being deleted.
 */
export async function deletePage(
  tx: Queryable,
  { table, columns }: TableShape,
  corp_id: string,
  limit = deletedAtOnce,
): Promise<number> {
  const name = raw(quoted(table))
  const keys = keyColumns(columns)
  const names = raw(keys.map((key) => quoted(key.name)).join(', '))
  const isSome =
    keys.length === 0
      ? sql`true`
      : sql`(${names}) in (select ${names} from ${name} where corp_id = ${corp_id} order by ${names} limit ${limit})`
  const rows = await tx.query(sql`delete from ${name} where corp_id = ${corp_id} and ${isSome} returning 1`)
  return rows.length
}

/** Deletes the grants of an organization, and the accounts that have no other. Returns the deleted rows by table. */
export async function deleteAccounts(tx: Queryable, corp_id: string): Promise<Record<string, number>> {
  const own = await tx.query<{ app_id: string }>(sql`
    select g.app_id from account_organizations g
     where g.corp_id = ${corp_id} and not exists (
       select 1 from account_organizations o where o.app_id = g.app_id and o.corp_id <> ${corp_id})`)
  const appIds = own.map(({ app_id }) => app_id)
  const [account_organizations, account_secrets, seen_signatures, accounts] = await tx.pipeline<object[]>([
    sql`delete from account_organizations where corp_id = ${corp_id} returning 1`,
    sql`delete from account_secrets where app_id = any(${appIds}::text[]) returning 1`,
    sql`delete from seen_signatures where app_id = any(${appIds}::text[]) returning 1`,
    sql`delete from accounts where app_id = any(${appIds}::text[]) returning 1`,
  ])
  const deleted = { account_organizations, account_secrets, seen_signatures, accounts }
  return Object.fromEntries(Object.entries(deleted).map(([table, rows]) => [table, rows!.length]))
}

export async function deleteOrganization(tx: Queryable, corp_id: string): Promise<void> {
  await tx.query(sql`delete from organizations where corp_id = ${corp_id} returning corp_id`)
}
