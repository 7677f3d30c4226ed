import type { OrganizationContext } from '../../contract/endpoint.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { changeOrders, type FindRule } from '../../orders/change-orders.ts'
import { remarkRule } from '../../orders/create-remark.ts'
import { draftOrder } from '../../orders/draft-order.ts'
import { copyUsers } from '../../orders/listing/copies-store.ts'
import { projectOrders } from '../../orders/listing/project-orders.ts'
import { storeDrafts } from '../../orders/make-orders.ts'
import { paymentRule } from '../../orders/payments/create-payment.ts'
import { updateRule } from '../../orders/update-order.ts'
import { isErasedSinceRead } from '../erasure/recognise-erased.ts'
import { storeNotedUserPlan } from '../undo/apply-transitions.ts'
import { type ColumnName, comparable, faultsOf, type OrderRow } from './columns.ts'
import { findRowHashes, type ImportedRow, lockOrders, storeImportedRows } from './import-lookup-store.ts'
import { type Done, noteAfter, noteBefore, type Planned, type PlannedBatch, planBatch } from './plan-batch.ts'

/**
 * Imports rows in one transaction, as changes of this batch; without a batch, it only plans them. If a row fails in
 * spite of its plan, the others are still imported.
 */
export async function importBatch(
  context: OrganizationContext,
  rows: OrderRow[],
  batch_id: string | undefined,
): Promise<Planned[]> {
  const unchanged = await findUnchanged(context, rows)
  const others = rows.filter((row) => !unchanged.has(row))
  const planned =
    others.length === 0
      ? []
      : batch_id === undefined
        ? (await planBatch(context, others)).planned
        : await commit(context, others, batch_id)
  const byRow = new Map([...planned, ...unchanged.values()].map((one) => [one.row, one]))
  return rows.map((row) => byRow.get(row)!)
}

/**
 * Rows with the same content as in their last import. They have had their effect, even if the order has changed
 * since.
 */
async function findUnchanged(
  { db, organization }: OrganizationContext,
  rows: OrderRow[],
): Promise<Map<OrderRow, Planned>> {
  const ids = rows.map(({ members }) => members.external_id)
  const imported = await findRowHashes(db, organization.corp_id, ids)
  const hashes = new Map(imported.map((row) => [row.external_id, row]))
  return new Map(
    rows.flatMap((row) => {
      const last = hashes.get(row.members.external_id)
      if (last?.row_hash !== row.hash) return []
      return [
        [row, { row, rowPlan: { outcome: 'unchanged', order_id: last.order_id, isOther: false } }],
      ] as const
    }),
  )
}

/** Another writer stored the same data concurrently. */
class LostRace extends Error {}

async function commit(context: OrganizationContext, rows: OrderRow[], batch_id: string): Promise<Planned[]> {
  try {
    return await commitTogether(context, rows, batch_id)
  } catch (error) {
    if (!isOfRows(error)) throw error
    const planned: Planned[] = []
    for (const row of rows) planned.push(await commitAlone(context, row, batch_id))
    return planned
  }
}

async function commitAlone(context: OrganizationContext, row: OrderRow, batch_id: string): Promise<Planned> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await commitTogether(context, [row], batch_id))[0]!
    } catch (error) {
      const faults = faultsOf(error)
      if (faults) return { row, rowPlan: { outcome: 'reject', faults } }
      if (!isOfRows(error)) throw error
      if (attempt < 3) continue
      const reason =
        'was refused by the database: another writer changed the same data, or a value does not fit'
      return { row, rowPlan: { outcome: 'reject', faults: [{ column: 'external_id', reason }] } }
    }
  }
}

/**
 * Whether the content of the rows causes the failure (SQLSTATE classes 22 and 23, or a lost race), not the database
 * or the connection.
 */
function isOfRows(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (
    error instanceof LostRace ||
    faultsOf(error) !== undefined ||
    (typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code))
  )
}

/** Locks known orders before planning them. The ledger clock is the last lock. */
async function commitTogether(
  context: OrganizationContext,
  rows: OrderRow[],
  batch_id: string,
): Promise<Planned[]> {
  const { corp_id } = context.organization
  return context.db.transaction(async (tx) => {
    const inside = { ...context, db: tx, now: new Date() }
    const externalIds = rows.map(({ members }) => members.external_id)
    await lockOrders(tx, corp_id, externalIds)
    const batch = await planBatch(inside, rows)
    await apply(inside, batch, batch_id)
    const people = batch.planned.flatMap(({ row, rowPlan }) =>
      rowPlan.outcome === 'erased' ? [] : [row.members],
    )
    if (await isErasedSinceRead(inside, batch.register, people))
      throw new LostRace('A person of the rows was erased')
    return batch.planned
  })
}

/**
 * Creates orders, then changes them, then adds payments, then remarks, all rows at a time. The read model is updated
 * once at the end.
 */
async function apply(
  context: OrganizationContext,
  { planned, users }: PlannedBatch,
  batch_id: string,
): Promise<void> {
  const { db, now, organization } = context
  const { corp_id } = organization
  const ofUsers = await storeNotedUserPlan(db, corp_id, users)
  const done = await makeOrders(context, planned)
  const made = new Set(done.map(({ order_id }) => order_id))
  for (const { row, rowPlan } of planned) {
    if (rowPlan.outcome === 'update')
      done.push({ ...rowPlan, row, order_id: rowPlan.known.order_id, isChanged: true })
    if (rowPlan.outcome === 'unchanged' && rowPlan.isOther)
      done.push({ row, order_id: rowPlan.order_id, isChanged: false })
  }
  const noted = await noteBefore(db, corp_id, done, made)
  const updates = done.flatMap(({ change }) => change ?? [])
  await change(context, updates, updateRule(context))
  const payments = done.flatMap(({ paymentInput, order_id }) =>
    paymentInput ? [{ order_id, context, input: { ...paymentInput, order_id } }] : [],
  )
  await change(context, payments, paymentRule)
  const remarks = done.flatMap(({ remark: content, order_id }) =>
    content === undefined ? [] : [{ corp_id, order_id, content }],
  )
  await change(context, remarks, remarkRule(context))
  const changedIds = done.filter(({ isChanged }) => isChanged).map(({ order_id }) => order_id)
  await projectOrders(db, corp_id, changedIds)
  const imported = done.map(({ row, order_id }) => importedRow(row, order_id))
  if (imported.length > 0) await storeImportedRows(db, corp_id, imported, now)
  await noteAfter(db, corp_id, { batch_id, ofUsers, noted }, now)
}

/**
 * A plan contains only allowed changes. If one is still refused, the transaction rolls back and each row is
 * tried alone.
 */
async function change<Change extends { order_id: string }, Result>(
  { db, organization, account }: OrganizationContext,
  changes: Change[],
  rule: FindRule<Change, Result>,
): Promise<void> {
  if (changes.length === 0) return
  const changer = { db, corp_id: organization.corp_id, executor_id: account.app_id }
  await changeOrders(changer, changes, rule, { updatesReadModelLater: true })
}

/** Creates the new orders of the rows. */
async function makeOrders(context: OrganizationContext, planned: Planned[]): Promise<Done[]> {
  const { db, organization } = context
  const creations = planned.flatMap(({ row, rowPlan }) =>
    rowPlan.outcome === 'create' ? [{ row, ...rowPlan }] : [],
  )
  if (creations.length === 0) return []
  const copies = await copyUsers(db, organization.corp_id, [
    ...new Set(creations.map(({ user }) => user.user_id)),
  ])
  const copyOf = new Map(copies.map((copy) => [copy.user_id, copy]))
  const drafts = creations.map(({ input, sources }) =>
    draftOrder(context, input, { ...sources, user: copyOf.get(input.user_id)! }, fingerprint(input)),
  )
  const made = await storeDrafts(db, context, drafts)
  if (made.length < drafts.length) throw new LostRace('Another writer created an order of the rows')
  return creations.map(({ row, paymentInput }, index) => ({
    row,
    paymentInput,
    remark: row.members.remark,
    order_id: made[index]!.state.order_id,
    isChanged: true,
  }))
}

const ofUser: ColumnName[] = ['user_id', 'area_code', 'mobile', 'email', 'name']

function importedRow({ members, hash }: OrderRow, order_id: string): ImportedRow {
  const said = Object.entries(comparable(members)).filter(([name]) => !ofUser.includes(name as ColumnName))
  return { external_id: members.external_id, order_id, row_hash: hash, members: Object.fromEntries(said) }
}
