import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { referenceTables, tenantTables } from '../../database/tables.ts'
import { readShapes } from './school-table-store.ts'
import { carriedTables, leftOutColumns, leftOutTables, rebuiltTables } from './school-tables.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('every table of the catalogue is carried, rebuilt or omitted', () => {
  const decided = [...carriedTables, ...rebuiltTables, ...Object.keys(leftOutTables)]
  expect(decided.toSorted()).toEqual([...tenantTables, ...referenceTables].toSorted())
})

/** Columns whose names sound like secrets, and why the file has them. */
const known: Record<string, string> = {
  'accounts.token_epoch': 'a counter',
  'audit_links.content_hash': 'of the chain',
  'audit_links.hash': 'of the chain',
  'column_mappings.header_hash': 'of a line of headings',
  'documents.token': 'part of the address that people got',
  'erasure_tombstones.contact_hash': 'keyed',
  'bank_files.content_hash': 'of a file',
  'ledger_chain.content_hash': 'of the chain',
  'ledger_chain.hash': 'of the chain',
  'lead_imports.content_hash': 'of a file',
  'order_import_rows.row_hash': 'of a row',
  'orders.creation_hash': 'of an input',
  'payment_requests.token_hash': 'of an address that people got',
  'receipts.token': 'part of the address that people got',
  'sign_in_domains.token': 'published in the DNS',
}

test('no column with a name like a secret is carried without a reason in this list', async () => {
  const shapes = await readShapes(database.owner.shared, carriedTables)
  const sounding = [...shapes.values()].flatMap(({ table, columns }) =>
    columns
      .map(({ name }) => name)
      .filter((name) => /secret|password|token|hash|box|credential/.test(name))
      .filter((name) => !leftOutColumns[table]?.includes(name))
      .map((name) => `${table}.${name}`),
  )
  expect(sounding.filter((column) => !known[column])).toEqual([])
})
