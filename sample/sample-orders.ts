import { financialUserAttributes } from '../src/orders/listing/financial-row.ts'
import { userAttributes } from '../src/orders/listing/order-row.ts'
import {
  daySeconds,
  endOfSchoolDay,
  firstOrder,
  lastMoment,
  later,
  schoolDay,
  secondsBetween,
} from './calendar.ts'
import data from './content/orders.json' with { type: 'json' }
import type { SampleOrders } from './insert-orders.ts'
import { makePlans, type OrderPlan } from './order-plans.ts'
import { type OwnerId, owners } from './people.ts'
import { nextBatch, termsAround } from './programs.ts'
import type { Random } from './random.ts'
import { rateOfTheDay } from './rates.ts'
import type { SampleLead } from './sample-leads.ts'
import { type Ledger, makeLedger } from './sample-ledger.ts'
import type { SampleUser } from './sample-users.ts'

type OrderRow = SampleOrders['orders'][number]
type RemarkRow = SampleOrders['order_remarks'][number] & { ctime: Date }

export function makeOrders(random: Random, users: SampleUser[], leads: SampleLead[]): SampleOrders {
  const plans = makePlans(random)
  const rows: SampleOrders = { orders: [], sub_orders: [], payments: [], refunds: [], order_remarks: [] }
  // The last orders start early enough to have events.
  const step = Math.trunc((secondsBetween(firstOrder, lastMoment) - 2 * daySeconds) / plans.length)
  const leadsByUser = Map.groupBy(leads, ({ user_id }) => user_id)
  for (const [index, plan] of plans.entries()) {
    const ctime = momentOf(random, index, step)
    const before = plan.type === 'transfer' && rows.orders.length > 0 ? random.pick(rows.orders) : undefined
    const user = users.find(({ user_id }) => user_id === before?.user_id) ?? anyone(random, users, ctime)
    const order = { plan, order_id: random.id(ctime), executor_id: executorOf(random, user), ctime }
    const exchange_rate = rateOfTheDay(random, plan.currency, 'CNY')
    const ledger = makeLedger(random, { ...order, exchange_rate })
    const remarks = makeRemarks(random, order, ledger)
    rows.orders.push({
      order_id: order.order_id,
      user_id: user.user_id,
      transferred_id: before?.order_id ?? null,
      is_transferred: before !== undefined,
      exchange_rate,
      executor_id: order.executor_id,
      user_copy: copyOf(user),
      ...termsOf(random, plan, ledger),
      ...courseOf(plan, ctime, lastLeadOf(leadsByUser.get(user.user_id) ?? [], ctime), user),
      ...papersOf(random, order, index),
      ...historyOf(order, ledger, remarks),
    })
    rows.sub_orders.push(...ledger.subOrders)
    rows.payments.push(...ledger.payments)
    rows.refunds.push(...ledger.refunds)
    rows.order_remarks.push(...remarks)
  }
  return rows
}

/** At any time of the day, including its first and last second. */
function momentOf(random: Random, index: number, step: number): Date {
  const moment = later(firstOrder, index * step + (index === 0 ? 0 : random.below(step)))
  return index % 50 === 25 ? endOfSchoolDay(moment) : moment
}

/** A user who had registered by then. */
function anyone(random: Random, users: SampleUser[], ctime: Date): SampleUser {
  return users[random.below(users.findLastIndex((user) => user.ctime < ctime) + 1)]!
}

function executorOf(random: Random, user: SampleUser): string {
  return user.owner_ids[0] ?? random.pick(owners).id
}

/** The last lead of the user before the order. */
function lastLeadOf(leads: SampleLead[], ctime: Date): SampleLead | undefined {
  return leads
    .filter((lead) => lead.ctime < ctime)
    .toSorted((one, other) => one.ctime.getTime() - other.ctime.getTime())
    .at(-1)
}

/** The members of users that orders show, under the names of orders. Empty values are omitted. */
function copyOf(user: SampleUser): Record<string, string> {
  const known: Record<string, unknown> = {
    ...user.attributes,
    ...user,
    account_name: user.name,
    work_experience: user.work_exp,
    address_for_communication: user.attributes.address,
  }
  const names = new Set<string>([...userAttributes, ...financialUserAttributes])
  const texts = [...names].map((name) => [name, String(known[name] ?? '')] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

function termsOf(random: Random, plan: OrderPlan, ledger: Ledger) {
  const [first] = ledger.subOrders
  return {
    type: plan.type,
    source: plan.source,
    status: plan.status,
    currency: plan.currency,
    listed_price: plan.listed_price,
    discounted_price: plan.discounted_price,
    total_price: plan.total_price,
    service_charge: plan.service_charge,
    foreign_service_charge: plan.foreign_service_charge,
    ...applicationFeeOf(random, plan),
    coupon_ids: plan.coupon_ids,
    coupon_lines: plan.coupon_lines,
    have_pre: first?.type === 'deposit',
    pre_sub_order_ids: first?.type === 'deposit' ? [first.sub_order_id] : [],
    is_company_transfer: plan.type === 'corporate_training',
    is_payment_changed: random.chance(6),
    user_underling_number: random.chance(30) ? random.between(1, 400) : 0,
  }
}

/** The fee is in the currency of the school, also for orders in other currencies. */
function applicationFeeOf(random: Random, plan: OrderPlan) {
  if (plan.program.family !== 'Degree' || plan.type !== 'course' || !random.chance(40)) {
    return {
      application_fee_price: null,
      application_fee_currency: null,
      application_fee_status: null,
      application_fee_exchange_rate: 10_000,
    }
  }
  return {
    application_fee_price: 80_000,
    application_fee_currency: 'CNY',
    application_fee_status: plan.status === 'success' || random.chance(50) ? 'success' : 'created',
    application_fee_exchange_rate: rateOfTheDay(random, 'CNY', plan.currency),
  }
}

function courseOf(plan: OrderPlan, ctime: Date, lead: SampleLead | undefined, user: SampleUser) {
  const { copy, ...times } = nextBatch(plan.program, ctime, terms)
  const managers = owners.filter(({ id }) => user.owner_ids.includes(id))
  return {
    leads_id: lead?.lead_id ?? null,
    course_id: plan.program.course_id,
    course_code: plan.program.course_code,
    product_id: `product-${plan.program.program_code.toLowerCase()}`,
    ...times,
    course_copy: {
      ...copy,
      utm_source: String(lead?.fields.utm_source ?? ''),
      owner_relationship_managers: managers.map(({ name }) => name).join(', '),
    },
    share_proportion: sharesOf(managers.map(({ id }) => id)),
  }
}

const terms = termsAround(lastMoment)

const proportions = [[10_000], [7000, 3000], [3334, 3333, 3333]]

function sharesOf(ownerIds: OwnerId[]): Record<string, number> {
  const sharing = ownerIds.length > 0 ? ownerIds : [owners[0].id]
  const proportion = proportions[sharing.length - 1]!
  return Object.fromEntries(sharing.map((id, index) => [id, proportion[index]!]))
}

function papersOf(random: Random, { plan, ctime }: { plan: OrderPlan; ctime: Date }, index: number) {
  const isPaid = plan.status === 'success'
  const number = String(index + 1).padStart(5, '0')
  const comesFromElsewhere = plan.source === 'import' || plan.source === 'open_api'
  return {
    external_id: comesFromElsewhere ? `EXT-${number}` : null,
    creation_hash: null,
    contract_id: isPaid || random.chance(30) ? `HT-${schoolDay(ctime).slice(0, 4)}-${number}` : null,
    business_id: plan.type === 'corporate_training' ? `BIZ-${number}` : null,
    receipt_url: null,
    invoice_ids: isPaid && random.chance(50) ? [`INV-${number}`] : [],
  }
}

function makeRemarks(
  random: Random,
  order: { order_id: string; executor_id: string },
  ledger: Ledger,
): RemarkRow[] {
  return Array.from({ length: random.pick(data.remarkCounts) }, () => {
    const ctime = ledger.clock.next()
    return {
      remark_id: random.id(ctime),
      order_id: order.order_id,
      content: random.pick(data.remarks),
      executor_id: order.executor_id,
      ctime,
    }
  })
}

/** The clock has counted all events, so it shows the last one. */
function historyOf({ plan, ctime }: { plan: OrderPlan; ctime: Date }, ledger: Ledger, made: RemarkRow[]) {
  const events = ledger.payments.length + ledger.refunds.length + made.length + (ledger.closed ? 1 : 0)
  return {
    is_deleted: false,
    is_locked: plan.status === 'locked',
    completed_time: ledger.completed_time,
    expired_time: plan.status === 'expired' ? ledger.closed! : null,
    ctime,
    mtime: ledger.clock.now(),
    version: 1 + events,
  } satisfies Partial<OrderRow>
}
