import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveKinds } from '../src/access/audit/archive-store.ts'
import { referenceTables, tenantTables } from '../src/database/tables.ts'

const document = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const section = /^## What grows.*?(?=^## )/ms.exec(document)![0]
const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \| (.*?) ?\|$/gm)].map(
  ([, ...cells]) => cells,
)

test('every table has exactly one line in docs/operating.md with its bound', () => {
  const named = rows.flatMap(([tables = '']) => [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table))
  expect(named.toSorted()).toEqual([...tenantTables, ...referenceTables].toSorted())
  for (const [tables, growth, bound] of rows) expect([growth, bound], tables).not.toContain('')
})

test('every kind of archive is the bound of some table', () => {
  for (const kind of archiveKinds)
    expect(rows.map(([, , , setting]) => setting)).toContain(`\`matricula archive --kind ${kind}\``)
})
