import type { OrganizationContext } from '../../contract/endpoint.ts'
import type { Queryable } from '../../database/database.ts'
import { findRulesFor } from '../../orders/counsellors/allowance.ts'
import { holdOrders, readStates } from '../../orders/ledger/order-state-store.ts'
import { findLimits } from '../../orders/limits/money-limit-store.ts'
import { copyBatches, copyCourses, findCouponTerms } from '../../orders/listing/copies-store.ts'
import { findKnownCharges } from '../../orders/payments/known-charges.ts'
import { findKnownReceipts } from '../../orders/payments/known-receipts.ts'
import { UserPlan } from '../../people/users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../../people/users/user-plan-store.ts'
import { type ErasedPerson, erasedReason, recogniseErased } from '../erasure/recognise-erased.ts'
import { findRegister, type Register } from '../erasure/tombstone-store.ts'
import { lockRecords, type Records, recordIn } from '../undo/apply-transitions.ts'
import {
  type Change,
  lockBatch,
  noteChanges,
  type OrderChange,
  type OrderContent,
} from '../undo/change-batch-store.ts'
import { changeBetween } from '../undo/revert-change.ts'
import { faultsOf, type OrderRow, type RowMembers } from './columns.ts'
import { chargeOf } from './compose-inputs.ts'
import { findKnownOrders } from './import-lookup-store.ts'
import { type Findings, planCreation, type RowPlan, type Update } from './plan-row.ts'
import { planUpdate } from './plan-update.ts'

export interface Planned {
  row: OrderRow
  rowPlan: RowPlan
}

export interface PlannedBatch {
  planned: Planned[]
  users: UserPlan
  /** The register when the rows were planned. */
  register: Register | undefined
}

/** Plans rows without changing anything. A dry run ends here; a commit applies the plan. */
export async function planBatch(context: OrganizationContext, rows: OrderRow[]): Promise<PlannedBatch> {
  const members = rows.map((row) => row.members)
  const findings = await findAll(context, members)
  const register = await findRegister(context.db, context.organization.corp_id)
  const erased = await recogniseErased(context, register, members)
  const planned = rows.map((row, index): Planned => {
    const person = erased[index]
    return { row, rowPlan: person ? refused(context, row, person) : planRow(context, row, findings) }
  })
  return { planned, users: findings.users, register }
}

function refused(
  { organization }: OrganizationContext,
  { members }: OrderRow,
  person: ErasedPerson,
): RowPlan {
  const column = members.user_id ? 'user_id' : members.mobile ? 'mobile' : 'email'
  return { outcome: 'erased', faults: [{ column, reason: erasedReason(person, organization) }] }
}

function planRow(context: OrganizationContext, row: OrderRow, findings: Findings): RowPlan {
  try {
    const known = findings.known.get(row.members.external_id)
    return known ? planUpdate(context, row, known, findings) : planCreation(context, row, findings)
  } catch (error) {
    const faults = faultsOf(error)
    if (!faults) throw error
    return { outcome: 'reject', faults }
  }
}

async function findAll(context: OrganizationContext, rows: RowMembers[]): Promise<Findings> {
  const { db, organization } = context
  const { corp_id } = organization
  const all = <T>(pick: (row: RowMembers) => T | undefined) =>
    [...new Set(rows.map(pick).filter((value) => value !== undefined))] as NonNullable<T>[]
  const codes = all(({ course_code }) => course_code)
  const batchNames = all(({ batch }) => batch)
  const charges = rows.flatMap((row) => (row.paid_price === undefined ? [] : [chargeOf(row)]))
  const externalIds = all(({ external_id }) => external_id)
  const known = await findKnownOrders(db, corp_id, externalIds)
  const knownIds = known.map(({ order_id }) => order_id)
  const couponIds = rows.flatMap(({ coupon_ids }) => coupon_ids ?? [])
  const users = await db.query<NamedUserRow>(findNamedUsers(corp_id, rows))
  const courses = await copyCourses(db, corp_id, [], codes)
  return {
    known: new Map(known.map((order) => [order.external_id, order])),
    states: await readStates(db, corp_id, knownIds),
    users: new UserPlan(namedUsersOf(users)),
    courses: new Map(courses.map((course) => [course.course_code, course])),
    batches: await copyBatches(db, corp_id, batchNames),
    coupons: await findCouponTerms(db, corp_id, [...new Set(couponIds)]),
    charges: await findKnownCharges(db, corp_id, charges),
    receipts: await findKnownReceipts(
      db,
      corp_id,
      all(({ receipt_num }) => receipt_num),
    ),
    rules: await findRulesFor(db, corp_id, [context]),
    discountLimits: await findLimits(db, corp_id, 'discount'),
  }
}

/** A row whose order exists, and the changes that still have to be made. */
export interface Done extends Pick<Update, 'change' | 'paymentInput' | 'remark'> {
  row: OrderRow
  order_id: string
  isChanged: boolean
}

/** The orders and their imported rows before the import changes them. */
interface Noted {
  done: Done[]
  before: Map<string, OrderContent>
  rows: Records
}

export async function noteBefore(
  tx: Queryable,
  corp_id: string,
  done: Done[],
  made: Set<string>,
): Promise<Noted> {
  const known = done.filter(({ order_id, isChanged }) => isChanged && !made.has(order_id))
  const ids = known.map(({ order_id }) => order_id)
  const before = new Map<string, OrderContent>()
  if (ids.length > 0) {
    const held = await holdOrders(tx, corp_id, ids)
    for (const [order_id, state] of await readStates(tx, corp_id, ids)) {
      const order = held.get(order_id)
      const fields = {
        contract_id: order?.contract_id ?? undefined,
        share_proportion: order?.share_proportion,
      }
      before.set(order_id, { state, fields })
    }
  }
  return { done, before, rows: await lockRows(tx, corp_id, done) }
}

/** Notes the changes of the rows in the transaction that made them. */
export async function noteAfter(
  tx: Queryable,
  corp_id: string,
  { batch_id, ofUsers, noted }: { batch_id: string; ofUsers: Change[]; noted: Noted },
  now: Date,
): Promise<void> {
  const changed = noted.done.filter(({ isChanged }) => isChanged)
  const changedIds = changed.map(({ order_id }) => order_id)
  const held = await holdOrders(tx, corp_id, changedIds)
  const orders = changed.map(({ order_id, paymentInput, remark }): OrderChange => {
    const before = noted.before.get(order_id) ?? null
    const stays = [
      ...(paymentInput ? ['payment'] : []),
      ...(before && remark !== undefined ? ['remark'] : []),
    ]
    // The import has just created or changed the order.
    const { version } = held.get(order_id)!
    return { record_type: 'orders', record_id: order_id, before, after: { version, stays } }
  })
  const after = await lockRows(tx, corp_id, noted.done)
  const rows = noted.done.map(({ row }) => {
    const id = row.members.external_id
    const { before } = recordIn(noted.rows, 'order_import_rows', id)
    return changeBetween('order_import_rows', id, before, recordIn(after, 'order_import_rows', id).after)
  })
  const batch = await lockBatch(tx, corp_id, batch_id)
  const notes = noteChanges(corp_id, batch, [...ofUsers, ...orders, ...rows], now)
  if (notes.length > 0) await tx.pipeline(notes)
}

function lockRows(tx: Queryable, corp_id: string, done: Done[]): Promise<Records> {
  return lockRecords(tx, corp_id, { order_import_rows: done.map(({ row }) => row.members.external_id) })
}
