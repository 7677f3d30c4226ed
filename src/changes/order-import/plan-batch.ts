import type { OrganizationContext } from '../../contract/endpoint.ts'
import { findRulesFor } from '../../orders/counsellors/allowance.ts'
import { readStates } from '../../orders/ledger/order-state-store.ts'
import { findLimits } from '../../orders/limits/money-limit-store.ts'
import { copyBatches, copyCourses, findCouponTerms } from '../../orders/listing/copies-store.ts'
import { findKnownCharges } from '../../orders/payments/known-charges.ts'
import { UserPlan } from '../../people/users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../../people/users/user-plan-store.ts'
import { type ErasedPerson, erasedReason, recogniseErased } from '../erasure/recognise-erased.ts'
import { findRegister, type Register } from '../erasure/tombstone-store.ts'
import type { RowMembers } from './columns.ts'
import { chargeOf } from './compose-inputs.ts'
import { findKnownOrders } from './import-lookup-store.ts'
import { type Findings, planCreation, type RowPlan } from './plan-row.ts'
import { planUpdate } from './plan-update.ts'
import type { OrderRow } from './read-order-row.ts'
import { faultsOf } from './row-faults.ts'

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
  const findings = await findAll(
    context,
    rows.map(({ members }) => members),
  )
  const register = await findRegister(context.db, context.organization.corp_id)
  const erased = await recogniseErased(
    context,
    register,
    rows.map(({ members }) => members),
  )
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
  const known = await findKnownOrders(
    db,
    corp_id,
    all(({ external_id }) => external_id),
  )
  const couponIds = rows.flatMap(({ coupon_ids }) => coupon_ids ?? [])
  const users = await db.query<NamedUserRow>(findNamedUsers(corp_id, rows))
  const courses = await copyCourses(db, corp_id, [], codes)
  return {
    known: new Map(known.map((order) => [order.external_id, order])),
    states: await readStates(
      db,
      corp_id,
      known.map(({ order_id }) => order_id),
    ),
    users: new UserPlan(namedUsersOf(users)),
    courses: new Map(courses.map((course) => [course.course_code, course])),
    batches: await copyBatches(db, corp_id, batchNames),
    coupons: await findCouponTerms(db, corp_id, [...new Set(couponIds)]),
    charges: await findKnownCharges(db, corp_id, charges),
    rules: await findRulesFor(db, corp_id, [context]),
    discountLimits: await findLimits(db, corp_id, 'discount'),
  }
}
