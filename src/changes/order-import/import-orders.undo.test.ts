import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type ImportOrganization, openImport } from '../../../test/support/order-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { listLeftAlone } from '../undo/change-batch-store.ts'
import { undoBatch } from '../undo/undo-batch.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
})
afterAll(async () => {
  await folder?.remove()
  await database?.drop()
})

const csv = (...lines: string[]) =>
  folder.file(
    'orders.csv',
    ['external_id,email,currency,listed_price,contract_id,paid_price', ...lines].join('\n'),
  )
const shown = (org: ImportOrganization) =>
  org.query(`select external_id, status, listed_price::int, total_price::int, contract_id from orders
              where corp_id = $corp and not is_deleted order by external_id`)
const sound = async (org: ImportOrganization) =>
  expect((await checkLedger(database.owner, org.corp_id)).discrepancies).toEqual([])

test('an import of orders without payments is undone and redone', async () => {
  const org = await openImport(database)
  await org.import(await csv('A,a@x.com,CNY,100,C-1,', 'B,b@x.com,CNY,200,C-2,'))
  const before = await shown(org)
  const file = await csv('A,a@x.com,CNY,150,C-1,', 'B,b@x.com,CNY,200,C-3,', 'C,c@x.com,CNY,300,,')
  const { batch_id } = await org.import(file)
  const imported = await shown(org)
  expect(imported).not.toEqual(before)
  const undo = await undoBatch(org.context, batch_id!)
  expect(await shown(org)).toEqual(before)
  await sound(org)
  expect(await org.import(file, { dryRun: true })).toMatchObject({ rows: { create: 1, update: 2 } })
  await undoBatch(org.context, undo.batch_id)
  expect(await shown(org)).toEqual(imported)
  await sound(org)
  expect(await org.import(file, { dryRun: true })).toMatchObject({ rows: { unchanged: 3 } })
  const again = await undoBatch(org.context, batch_id!)
  expect(await shown(org)).toEqual(before)
  expect(again.counts).toEqual(undo.counts)
  await sound(org)
})

test('each change of an order by an undo is a new version in the ledger, its history and the audit', async () => {
  const org = await openImport(database)
  await org.import(await csv('A,a@x.com,CNY,100,C-1,'))
  const { batch_id } = await org.import(await csv('A,a@x.com,CNY,100,C-2,', 'B,b@x.com,CNY,200,,'))
  const seen = async () =>
    org.query(`
      select split_part(o.external_id, ' ', 1) as order, o.version, o.is_deleted, v.change, e.action,
             o.mtime = v.at and o.mtime > before.at as is_timed,
             (select bool_and(s.mtime = o.mtime) from sub_orders s
               where s.corp_id = o.corp_id and s.order_id = o.order_id and s.status = 'canceled') as is_sub_order_timed
        from orders o
        join order_versions v on v.corp_id = o.corp_id and v.order_id = o.order_id and v.version = o.version
        join order_versions before on before.corp_id = o.corp_id and before.order_id = o.order_id
         and before.version = o.version - 1
        join audit_entries e on e.corp_id = o.corp_id and e.record_type = 'orders' and e.record_id = o.order_id
         and e.version = o.version
       where o.corp_id = $corp order by 1`)
  const undo = await undoBatch(org.context, batch_id!)
  const change = { change: 'undone', is_timed: true }
  expect(await seen()).toMatchObject([
    { order: 'A', version: 3, is_deleted: false, action: 'changed', ...change },
    { order: 'B', version: 2, is_deleted: true, action: 'removed', is_sub_order_timed: true, ...change },
  ])
  await undoBatch(org.context, undo.batch_id)
  expect(await seen()).toMatchObject([
    { order: 'A', version: 4, is_deleted: false, action: 'changed', ...change },
    { order: 'B', version: 3, is_deleted: false, action: 'made', ...change },
  ])
  await sound(org)
})

test('orders with money or later changes are listed and stay', async () => {
  const org = await openImport(database)
  const { batch_id } = await org.import(
    await csv('A,a@x.com,CNY,100,,40', 'B,b@x.com,CNY,200,,', 'C,c@x.com,CNY,300,,'),
  )
  await org.import(await csv('B,b@x.com,CNY,250,,'))
  const undo = await undoBatch(org.context, batch_id!)
  expect((await shown(org)).map(({ external_id }) => external_id)).toEqual(['A', 'B'])
  const left = await listLeftAlone(org.context.db, org.corp_id, undo.batch_id, { limit: 100, offset: 0 })
  const reasons = left
    .filter(({ record_type }) => record_type === 'orders')
    .map(({ left_alone }) => left_alone.reason)
  expect(reasons.sort()).toEqual(['money was moved', 'was changed since'])
  await sound(org)
})
