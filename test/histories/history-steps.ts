import fc from 'fast-check'
import type { Coupon, ModelOrder, MoneyStep, PayStep, RefundStep, UpdateStep } from './order-model.ts'
import { balanceOf, exchanged, held, paid, paidOn, total, unpaid } from './order-model.ts'

/** Random histories consist of wishes. A wish becomes a step when the state of the order is known. */

export const currencies = ['CNY', 'USD', 'JPY', 'KWD'] as const
export const dayMs = 86_400_000

/** The coupons of every organization of the test. */
export const coupons: Coupon[] = [
  { coupon_id: 'third', basis_points: 3333 },
  { coupon_id: 'tenth', basis_points: 1000 },
  ...currencies.map((currency) => ({ coupon_id: `amount-${currency}`, amount: 1500 })),
]

export type Step =
  | PayStep
  | RefundStep
  | UpdateStep
  | MoneyStep
  | { kind: 'move'; to: string; retains: boolean }
  | { kind: 'remark' }
  | { kind: 'expire' }
  | { kind: 'recreate'; isChanged: boolean }
  | { kind: 'close' }
  | { kind: 'match'; lines: StatementLine[] }

/** A payment in a provider's statement. */
export interface StatementLine {
  value_date: string
  price: number
  currency: string
  charge_id: string
}

const charge = fc.constantFrom('none', 'none', 'fresh', 'again', 'changed')
const permille = fc.integer({ min: 1, max: 1000 })

const payWish = fc.record({
  kind: fc.constant('pay' as const),
  subOrder: fc.option(fc.nat(3)),
  amount: fc.constantFrom('rest', 'rest', 'all', 'some', 'over', 'one'),
  permille,
  currency: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.constantFrom(...currencies)),
  rate: fc.integer({ min: 50, max: 3_000_000 }),
  charge,
  daysAgo: fc.option(fc.nat(20)),
})
const refundWish = fc.record({
  kind: fc.constant('refund' as const),
  by: fc.constantFrom('sub-order', 'payment', 'order'),
  pick: fc.nat(20),
  amount: fc.constantFrom('some', 'all', 'all', 'over'),
  permille,
  isReturn: fc.boolean(),
  charge,
})
const moveWish = fc.record({
  kind: fc.constant('move' as const),
  to: fc.constantFrom(
    'tbd',
    'unconfirmed',
    'created',
    'created',
    'pending',
    'locked',
    'success',
    'canceled',
    'expired',
  ),
  retains: fc.boolean(),
})
const moneyWish = fc.record({
  kind: fc.constantFrom(
    'void',
    'void',
    'apply',
    'unapply',
    'transfer',
    'transfer',
    'writeOff',
    'reverseRefund',
    'reverseVoid',
    'reverseTransfer',
    'reverseWriteOff',
  ),
  pick: fc.nat(20),
  isOut: fc.boolean(),
  amount: fc.constantFrom('some', 'all', 'over'),
  permille,
})
const updateWish = fc.record({
  kind: fc.constant('update' as const),
  what: fc.constantFrom('field', 'listed', 'charge', 'split', 'merge', 'turn', 'wrong'),
  value: fc.nat(20_000),
  isStale: fc.constantFrom(false, false, false, true),
})
const wish = fc.oneof(
  { weight: 6, arbitrary: payWish },
  { weight: 4, arbitrary: refundWish },
  { weight: 4, arbitrary: moveWish },
  { weight: 5, arbitrary: moneyWish },
  { weight: 3, arbitrary: updateWish },
  { weight: 2, arbitrary: fc.constant({ kind: 'expire' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'remark' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recreate' as const), isChanged: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'match' as const }) },
)
export type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never

const creation = fc.record({
  currency: fc.constantFrom(...currencies),
  listed: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 50_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 99_999_999_999 }) },
  ),
  coupons: fc.subarray(['third', 'tenth', 'amount'], { maxLength: 2 }),
  service_charge: fc.constantFrom(0, 0, 99),
  status: fc.constantFrom('created', 'created', 'created', 'unconfirmed', 'tbd'),
  subOrders: fc.integer({ min: 1, max: 4 }),
  isListed: fc.boolean(),
  deadlineInDays: fc.option(fc.integer({ min: 1, max: 30 })),
  hasShares: fc.boolean(),
  copies: fc.constantFrom(1, 1, 1, 3),
})
export type Creation = typeof creation extends fc.Arbitrary<infer C> ? C : never

/** The creation of an order, then rounds in which one to three callers act on it concurrently. */
export const history = fc.record({
  creation,
  rounds: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(wish) },
      { weight: 2, arbitrary: fc.array(wish, { minLength: 2, maxLength: 3 }) },
    ),
    { maxLength: 5 },
  ),
})
export type History = typeof history extends fc.Arbitrary<infer H> ? H : never

interface Situation {
  order: ModelOrder
  now: number
  /** Earlier steps, for repetitions. */
  before: Step[]
  fresh(): string
}

/** A call that fits the state of the order. */
export function stepOf(wanted: Wish, situation: Situation): Step {
  switch (wanted.kind) {
    case 'pay':
      return payStep(wanted, situation)
    case 'refund':
      return refundStep(wanted, situation)
    case 'update':
      return updateStep(wanted, situation)
    case 'void':
    case 'apply':
    case 'unapply':
    case 'transfer':
    case 'writeOff':
    case 'reverseRefund':
    case 'reverseVoid':
    case 'reverseTransfer':
    case 'reverseWriteOff':
      return moneyStep(wanted, situation)
    case 'match':
      return { kind: 'match', lines: statementOf(situation) }
    default:
      return wanted
  }
}

/** A statement with one line for each reported charge, in any state. */
function statementOf({ before, now }: Situation): StatementLine[] {
  const lines = before.flatMap((step) =>
    step.kind === 'pay' && step.charge_id !== undefined
      ? [
          {
            value_date: step.completed_time?.slice(0, 10) ?? dayText(now),
            price: step.price,
            currency: step.currency,
            charge_id: step.charge_id,
          },
        ]
      : [],
  )
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
}

function payStep(wanted: Extract<Wish, { kind: 'pay' }>, { order, now, before, fresh }: Situation): PayStep {
  const earlier = before.findLast(
    (step): step is PayStep => step.kind === 'pay' && step.charge_id !== undefined,
  )
  if (earlier && wanted.charge === 'again') return earlier
  if (earlier && wanted.charge === 'changed') return { ...earlier, price: earlier.price + 1 }
  const subOrder =
    wanted.subOrder === null ? undefined : order.subOrders[wanted.subOrder % order.subOrders.length]!
  const rest = subOrder ? subOrder.total - paidOn(subOrder) : total(order) - paid(order)
  const amounts: Record<string, number> = {
    rest,
    all: total(order) - paid(order),
    some: Math.floor((rest * wanted.permille) / 1000),
    over: rest + wanted.permille,
  }
  const wantedAmount = Math.max(1, amounts[wanted.amount] ?? 1)
  const currency = wanted.currency ?? order.currency
  const isForeign = currency !== order.currency
  const ofOne = isForeign ? exchanged(1_000_000, currency, order.currency, wanted.rate) : 1_000_000
  return {
    kind: 'pay',
    ...(subOrder && { sub_order_id: subOrder.sub_order_id }),
    price: Math.min(10 ** 13, Math.max(1, Math.ceil((wantedAmount / Math.max(1, ofOne)) * 1_000_000))),
    currency,
    ...(isForeign && { exchange_rate: wanted.rate }),
    ...(wanted.charge !== 'none' && { charge_id: fresh() }),
    ...(wanted.daysAgo !== null && { completed_time: timeText(now - wanted.daysAgo * dayMs - 30_000) }),
  }
}

function refundStep(
  wanted: Extract<Wish, { kind: 'refund' }>,
  { order, before, fresh }: Situation,
): RefundStep {
  const earlier = before.findLast(
    (step): step is RefundStep => step.kind === 'refund' && step.charge_id !== undefined,
  )
  if (earlier && wanted.charge === 'again') return earlier
  if (earlier && wanted.charge === 'changed') return { ...earlier, price: earlier.price + 1 }
  const { payments } = order
  const payment = wanted.by === 'payment' ? payments[wanted.pick % payments.length] : undefined
  const subOrder = order.subOrders[wanted.pick % order.subOrders.length]!
  const most = payment ? balanceOf(order, payment) : held(order)
  const amounts: Record<string, number> = {
    all: most,
    some: Math.floor((most * wanted.permille) / 1000),
    over: most + 1,
  }
  return {
    kind: 'refund',
    ...(payment && { payment_id: payment.payment_id }),
    ...(wanted.by === 'sub-order' && { sub_order_id: subOrder.sub_order_id }),
    price: Math.max(1, amounts[wanted.amount]!),
    ...(wanted.isReturn && { as: 'return' as const }),
    ...(wanted.charge !== 'none' && { charge_id: fresh() }),
  }
}

function moneyStep(wanted: Extract<Wish, { pick: number; isOut: boolean }>, { order }: Situation): MoneyStep {
  const { kind, pick, isOut, amount } = wanted
  if (kind === 'writeOff') {
    if (amount === 'all') return { kind }
    const part = Math.max(1, Math.floor((unpaid(order) * wanted.permille) / 1000))
    return { kind, price: amount === 'over' ? unpaid(order) + 1 : part }
  }
  if (kind === 'reverseWriteOff') {
    const most = order.subOrders.reduce((all, each) => all + each.writtenOff, 0)
    if (amount === 'all') return { kind }
    return {
      kind,
      price: amount === 'over' ? most + 1 : Math.max(1, Math.floor((most * wanted.permille) / 1000)),
    }
  }
  if (kind === 'reverseRefund')
    return { kind, refund_id: order.refunds[pick % order.refunds.length]?.refund_id ?? 'none' }
  if (kind === 'reverseTransfer')
    return { kind, transfer_id: order.transfers[pick % order.transfers.length]?.transfer_id ?? 'none' }
  if (kind === 'reverseVoid') {
    const voided = order.payments.filter((each) => each.voided > 0)
    return { kind, payment_id: (voided[pick % voided.length] ?? order.payments[0])?.payment_id ?? 'none' }
  }
  if (kind !== 'transfer') {
    const payment = order.payments[pick % order.payments.length]
    return { kind: kind as 'void', payment_id: payment?.payment_id ?? 'none' }
  }
  const most = held(isOut ? order : order.other!)
  const amounts = { all: most, some: Math.floor((most * wanted.permille) / 1000), over: most + 1 }
  return { kind, isOut, price: Math.max(1, amounts[amount]) }
}

function updateStep(
  { what, value, isStale }: Extract<Wish, { kind: 'update' }>,
  { order }: Situation,
): UpdateStep {
  const version = isStale ? Math.max(1, order.version - 1) : order.version
  const asTheyAre = order.subOrders.map((subOrder) => ({
    sub_order_id: subOrder.sub_order_id,
    total_price: subOrder.total,
  }))
  const first = asTheyAre[0]!
  const cut = value % (first.total_price + 1)
  const changes: Record<string, Omit<UpdateStep, 'kind' | 'version'>> = {
    field: { contract_id: `C-${value}` },
    listed: { listed_price: value },
    charge: { service_charge: value },
    split: {
      sub_orders: [
        { ...first, total_price: first.total_price - cut },
        ...asTheyAre.slice(1),
        { total_price: cut },
      ],
    },
    merge: { sub_orders: [{ ...asTheyAre.at(-1)!, total_price: total(order) }] },
    turn: { sub_orders: asTheyAre.toReversed() },
    wrong: { sub_orders: [{ ...first, total_price: total(order) + 1 }] },
  }
  return { kind: 'update', version, ...changes[what] }
}

export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** An instant as a caller in UTC writes it. */
export function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}
