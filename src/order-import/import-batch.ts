import type { OrganizationContext } from '../contract/endpoint.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { copyUsers } from '../orders/copies-store.ts'
import { createRemark } from '../orders/create-remark.ts'
import { creationBy, draftOrder, settleDraft } from '../orders/make-order.ts'
import { nextInstant } from '../orders/order-state-store.ts'
import { applyPaymentInput, recordPayment } from '../orders/payments/create-payment.ts'
import { projectOrders } from '../orders/read-model/project-orders.ts'
import { editOrder } from '../orders/update-order.ts'
import { storeUserPlan } from '../users/user-plan-store.ts'
import { type ColumnName, comparable } from './columns.ts'
import { findRowHashes } from './import-lookup-store.ts'
import {
  type ImportedRow,
  insertMadeOrders,
  lockOrders,
  recordVersions,
  storeFirstPayments,
  storeImportedRows,
} from './import-write-store.ts'
import { type Planned, type PlannedBatch, planBatch } from './plan-batch.ts'
import type { Creation, Update } from './plan-row.ts'
import type { OrderRow } from './read-order-row.ts'
import { faultsOf } from './row-refused.ts'

/** Imports rows in one transaction; or only judges them. A row that fails in spite of its rowPlan fails alone. */
export async function importBatch(
  context: OrganizationContext,
  rows: OrderRow[],
  dryRun: boolean,
): Promise<Planned[]> {
  const unchanged = await findUnchanged(context, rows)
  const others = rows.filter((row) => !unchanged.has(row))
  const planned =
    others.length === 0
      ? []
      : dryRun
        ? (await planBatch(context, others)).planned
        : await commit(context, others)
  const byRow = new Map([...planned, ...unchanged.values()].map((one) => [one.row, one]))
  return rows.map((row) => byRow.get(row)!)
}

/** The rows that say what they said when they were last imported: whatever the order is now, they have had their effect. */
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

async function commit(context: OrganizationContext, rows: OrderRow[]): Promise<Planned[]> {
  try {
    return await commitTogether(context, rows)
  } catch (error) {
    if (!isOfRows(error)) throw error
    const planned: Planned[] = []
    for (const row of rows) planned.push(await commitAlone(context, row))
    return planned
  }
}

async function commitAlone(context: OrganizationContext, row: OrderRow): Promise<Planned> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await commitTogether(context, [row]))[0]!
    } catch (error) {
      const faults = faultsOf(error)
      if (faults) return { row, rowPlan: { outcome: 'reject', faults } }
      if (!isOfRows(error)) throw error
      if (attempt < 3) continue
      const reason =
        'was refused by the database: another writer holds what the row needs, or a value does not fit'
      return { row, rowPlan: { outcome: 'reject', faults: [{ column: 'external_id', reason }] } }
    }
  }
}

/** Whether a failure comes of what the rows say (SQLSTATE 22 and 23, a lost race included), not of the database or the way to it. */
function isOfRows(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return faultsOf(error) !== undefined || (typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code))
}

/** Known orders are locked before they are planned, and the ledger's clock is taken last. */
async function commitTogether(context: OrganizationContext, rows: OrderRow[]): Promise<Planned[]> {
  const { corp_id } = context.organization
  return context.db.transaction(async (tx) => {
    const inside = { ...context, db: tx, now: new Date() }
    await lockOrders(
      tx,
      corp_id,
      rows.map(({ members }) => members.external_id),
    )
    const batch = await planBatch(inside, rows)
    await apply(inside, batch)
    return batch.planned
  })
}

async function apply(context: OrganizationContext, { planned, users }: PlannedBatch): Promise<void> {
  const { db, now, organization } = context
  const { corp_id } = organization
  const changes = storeUserPlan(corp_id, users)
  if (changes.length > 0) await db.pipeline(changes)
  const imported: ImportedRow[] = planned.flatMap(({ row, rowPlan }) =>
    rowPlan.outcome === 'unchanged' && rowPlan.isOther ? [importedRow(row, rowPlan.order_id)] : [],
  )
  const creations = planned.flatMap(({ row, rowPlan }) =>
    rowPlan.outcome === 'create' ? [{ row, creation: rowPlan }] : [],
  )
  if (creations.length > 0) imported.push(...(await makeOrders(context, creations)))
  for (const { row, rowPlan } of planned) {
    if (rowPlan.outcome !== 'update') continue
    await updateOne(context, rowPlan)
    imported.push(importedRow(row, rowPlan.known.order_id))
  }
  if (imported.length > 0) await storeImportedRows(db, corp_id, imported, now)
}

/** All new orders of the rows at one instant of the ledger, and their first payments at the next. */
async function makeOrders(
  context: OrganizationContext,
  creations: { row: OrderRow; creation: Creation }[],
): Promise<ImportedRow[]> {
  const { db, now, organization, account, newId } = context
  const { corp_id } = organization
  const copies = await copyUsers(db, corp_id, [
    ...new Set(creations.map(({ creation }) => creation.user.user_id)),
  ])
  const copyOf = new Map(copies.map((copy) => [copy.user_id, copy]))
  const at = await nextInstant(db, corp_id, now)
  const made = creations.map(({ row, creation: { input, sources, paymentInput } }) => {
    const draft = draftOrder(
      context,
      input,
      { ...sources, user: copyOf.get(input.user_id)! },
      fingerprint(input),
    )
    return { row, paymentInput, ...settleDraft(draft, newId, at) }
  })
  await insertMadeOrders(db, corp_id, made, at)
  const creation = creationBy(account.app_id)
  await recordVersions(
    db,
    corp_id,
    made.map(({ order }) => ({ ...creation, order_id: order.order_id })),
    at,
  )
  await payFirst(context, made)
  await projectOrders(
    db,
    corp_id,
    made.map(({ order }) => order.order_id),
  )
  for (const { row, order } of made) {
    const { remark } = row.members
    if (remark !== undefined)
      await createRemark.handle(context, { corp_id, order_id: order.order_id, content: remark })
  }
  return made.map(({ row, order }) => importedRow(row, order.order_id))
}

type Made = ReturnType<typeof settleDraft> & { paymentInput?: Creation['paymentInput'] }

async function payFirst(context: OrganizationContext, made: Made[]): Promise<void> {
  const { db, now, organization, account } = context
  const due = made.filter(({ paymentInput }) => paymentInput !== undefined)
  if (due.length === 0) return
  const { corp_id } = organization
  const at = await nextInstant(db, corp_id, now)
  const executor_id = account.app_id
  const paid = due.map(({ order: { order_id }, state, paymentInput }) => {
    const { fact, paid } = applyPaymentInput(context, { ...paymentInput!, order_id }, state, at)
    return { fact, before: state.status, state: paid }
  })
  await storeFirstPayments(db, corp_id, paid, { executor_id, at })
  const changes = paid.map(({ fact, before, state: { order_id, status } }) => ({
    order_id,
    change: 'payment' as const,
    from_status: before === status ? null : before,
    executor_id,
    reason: fact.comments,
    subject_id: fact.payment_id,
  }))
  await recordVersions(db, corp_id, changes, at)
}

async function updateOne(
  context: OrganizationContext,
  { known, change, paymentInput, remark }: Update,
): Promise<void> {
  const { corp_id } = context.organization
  const { order_id } = known
  if (change) await editOrder(context, change)
  if (paymentInput) await recordPayment(context, paymentInput)
  if (remark !== undefined) await createRemark.handle(context, { corp_id, order_id, content: remark })
}

const ofUser: ColumnName[] = ['user_id', 'area_code', 'mobile', 'email', 'name']

function importedRow({ members, hash }: OrderRow, order_id: string): ImportedRow {
  const said = Object.entries(comparable(members)).filter(([name]) => !ofUser.includes(name as ColumnName))
  return { external_id: members.external_id, order_id, row_hash: hash, members: Object.fromEntries(said) }
}
