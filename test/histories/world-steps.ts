import fc from 'fast-check'
import { type BankStep, type Booking, grossOf, type NewLine } from './bank-model.ts'
import { dayMs, dayText } from './history-steps.ts'
import { held, paid, sum, total, unpaid } from './order-model.ts'
import { balanceOf, type Report, unappliedOf, type World, type WorldStep } from './world-model.ts'

/** Wishes of histories with several orders, payers and bank accounts. A wish becomes a step when the world is known. */

const kinds = [
  ...['pay', 'pay', 'pay', 'receipt', 'receipt', 'receipt', 'apply', 'apply', 'unapply', 'refund', 'refund'],
  ...['reverseRefund', 'void', 'void', 'reverseVoid', 'move', 'assign', 'writeOff', 'cancel'],
  ...['import', 'import', 'import', 'match', 'match', 'match', 'match', 'ignore', 'unmatch', 'bankTransfer'],
] as const

const nat = fc.nat(1000)
const wishOf = <Kind extends string>(...all: Kind[]) =>
  fc.record({
    kind: fc.constantFrom(...all),
    picks: fc.tuple(nat, nat, nat, nat),
    permille: fc.integer({ min: 1, max: 1000 }),
    isOne: fc.boolean(),
    isTwo: fc.boolean(),
  })
export type WorldWish =
  ReturnType<typeof wishOf<(typeof kinds)[number] | 'confirm'>> extends fc.Arbitrary<infer W> ? W : never

/** Confirming certain matches takes several transactions, so it has its own round. */
const round = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(wishOf(...kinds)) },
  { weight: 2, arbitrary: fc.array(wishOf(...kinds), { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(wishOf('confirm')) },
)

export const worldHistory = fc.record({
  currency: fc.constantFrom('CNY', 'JPY', 'KWD'),
  totals: fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 9000 })),
  installments: fc.integer({ min: 1, max: 3 }),
  opening: fc.integer({ min: -5000, max: 5000 }),
  rounds: fc.array(round, { minLength: 4, maxLength: 14 }) as fc.Arbitrary<WorldWish[][]>,
})
export type WorldHistory = typeof worldHistory extends fc.Arbitrary<infer H> ? H : never

/** The records of a history before its first step. */
export interface Setting {
  payers: string[]
  bank: { account_id: string; provider: string; opening: number }[]
  foreign: string
}

export interface WorldSituation extends Setting {
  world: World
  now: number
  /** Earlier steps, for repetitions. */
  before: (WorldStep | BankStep)[]
  fresh(): string
}

const fee = 30
const at = <One>(all: One[], n: number): One | undefined => all[n % Math.max(1, all.length)]

/** A call that fits this world; undefined if there is no record for it. */
export function worldStepOf(wish: WorldWish, situation: WorldSituation): WorldStep | BankStep | undefined {
  const { kind, picks, permille, isOne, isTwo } = wish
  const { world, payers, before } = situation
  const order_id = at([...world.orders.keys()], picks[0])!
  const order = world.orders.get(order_id)!
  const payment = at(world.payments, picks[1])
  const refund = at(world.refunds, picks[1])
  const payment_id = payment?.payment_id ?? ''
  const part = (most: number) => Math.max(1, isTwo ? most : Math.ceil((most * permille) / 1000))
  switch (kind) {
    case 'pay': {
      const earlier = at(
        before.filter((step) => step.kind === 'pay' && step.report.charge_id !== undefined),
        picks[2],
      )
      if (earlier?.kind === 'pay' && picks[3] % 5 === 0) return { ...earlier, reinstate: isOne }
      const isForeign = picks[2] % 4 === 0 && order.currency === world.currency
      const price = part(Math.max(1, total(order) - paid(order)) + (isOne ? 500 : 0))
      const report = reportOf(wish, situation, isForeign ? 2 * price : price, order.currency)
      const foreign = isForeign && { currency: situation.foreign, settled_price: price }
      const payer = isOne ? at(payers, picks[3])! : undefined
      return { kind, order_id, report: { ...report, ...foreign }, ...(payer !== undefined && { payer }) }
    }
    case 'receipt': {
      const earlier = at(
        before.filter((step) => step.kind === 'receipt' && step.report.charge_id !== undefined),
        picks[2],
      )
      if (earlier?.kind === 'receipt' && picks[3] % 5 === 0) return { ...earlier, reinstate: isOne }
      const own = [...world.orders].filter(([, each]) => each.currency === world.currency)
      const chosen = own.filter((_, index) => (picks[2] >> index) % 2 === 0)
      const allocations = chosen.map(([id, each]) => ({ order_id: id, price: part(unpaid(each) || 700) }))
      const price = Math.max(1, sum(allocations.map((each) => each.price)) + (picks[3] % 900) - 40)
      return {
        kind,
        payer: at(payers, picks[1])!,
        allocations,
        report: reportOf(wish, situation, price, world.currency),
      }
    }
    case 'apply': {
      const waiting = world.payments.filter((each) => unappliedOf(world, each) > 0)
      const chosen = at(waiting, picks[1]) ?? payment
      if (!chosen) return undefined
      const price = part(unappliedOf(world, chosen) || 1)
      return { kind, payment_id: chosen.payment_id, order_id, ...(isOne && { price }) }
    }
    case 'unapply':
      return payment && { kind, payment_id, order_id }
    case 'refund': {
      const places = [order_id, ...world.accounts.keys(), ...(payment ? [payment.home] : [])]
      const place = at(places, picks[2])!
      const isNamed = !world.orders.has(place) || isOne
      if (isNamed && !payment) return undefined
      const most = isNamed ? balanceOf(world, payment!) : held(order)
      const charge = picks[3] % 3 === 0 && { charge_id: situation.fresh() }
      const as = picks[3] % 2 === 0 ? 'credit' : 'return'
      return { kind, order_id: place, price: part(most), as, ...charge, ...(isNamed && { payment_id }) }
    }
    case 'reverseRefund':
      return refund && { kind, refund_id: refund.refund_id }
    case 'void':
      return payment && { kind, payment_id }
    case 'reverseVoid': {
      const chosen =
        at(
          world.payments.filter((each) => each.voided > 0),
          picks[1],
        ) ?? payment
      return chosen && { kind, payment_id: chosen.payment_id }
    }
    case 'move':
      return payment && { kind, payment_id, to_order_id: order_id, settled_price: part(payment.price) }
    case 'assign':
      return payment && { kind, payment_id, payer: isOne && isTwo ? null : at(payers, picks[2])! }
    case 'writeOff':
      return { kind, order_id, price: part(unpaid(order)) }
    case 'cancel':
      return { kind, order_id }
    default:
      return bankStepOf(wish, situation)
  }
}

/** Every second report has a charge, which a gateway or a bank has given. */
function reportOf(
  { picks, isTwo }: WorldWish,
  { now, fresh }: WorldSituation,
  price: number,
  currency: string,
): Report {
  const completed = now - (1 + (picks[3] % 20)) * dayMs - 30_000
  const charge = picks[1] % 2 === 0 && { charge_id: fresh() }
  return { price, currency, provider: charge && isTwo ? 'stripe' : '', comments: '', completed, ...charge }
}

function bankStepOf(wish: WorldWish, situation: WorldSituation): BankStep | undefined {
  const { kind, picks, isOne, isTwo } = wish
  const { world, bank, now, fresh } = situation
  const account = at(bank, picks[0])!
  const open = world.lines.filter(({ state }) => state === 'open')
  const line = picks[1] % 6 === 0 ? at(world.lines, picks[0]) : at(open, picks[0])
  switch (kind) {
    case 'import': {
      const value_date = dayText(now)
      const lines = [0, 1, 2]
        .slice(0, 1 + (picks[3] % 3))
        .flatMap((n) => newLines(wish, situation, n, account.provider !== ''))
        .map((each): NewLine => ({ fee_price: 0, ...each, value_date }))
      return { kind, account_id: account.account_id, name: fresh(), lines }
    }
    case 'match':
      return line && matchStep(wish, situation, line.line_id)
    case 'ignore':
    case 'unmatch':
      return line && { kind, line_ids: [line.line_id] }
    case 'bankTransfer': {
      const from = at(
        open.filter(({ price }) => isOne || price < 0),
        picks[2],
      )
      const to = at(
        open.filter(({ price }) => isTwo || price > 0),
        picks[3],
      )
      return from && to && { kind, line_id: from.line_id, other_line_id: to.line_id }
    }
    default: {
      const statement = at([...new Set(world.lines.map(({ statement_id }) => statement_id))], picks[0])
      return statement === undefined ? undefined : { kind: 'confirm', statement_id: statement }
    }
  }
}

type Written = Omit<NewLine, 'value_date' | 'fee_price'> & { fee_price?: number }

/** Lines of a statement: of a payment in one or two parts, net of a fee, of a refund, a payout, a fee, or anything. */
function newLines(
  { picks, permille }: WorldWish,
  { world, fresh }: WorldSituation,
  n: number,
  isGateway: boolean,
): Written[] {
  const payment = at(world.payments, picks[1] + n)
  const refund = at(world.refunds, picks[1] + n)
  const charged = (each: { charge_id?: string | undefined } | undefined) =>
    each?.charge_id === undefined ? {} : { charge_id: each.charge_id }
  const price = payment
    ? payment.currency === world.currency
      ? payment.price
      : payment.order_price
    : permille
  const payout = world.lines.findLast(({ charge_id, price: sent }) => charge_id?.startsWith('po') && sent < 0)
  switch ((picks[2] + n) % 8) {
    case 0:
    case 1:
      return [{ price, ...charged(payment) }]
    case 2: {
      const first = Math.max(1, Math.floor(price / 3))
      return price > 1
        ? [first, price - first].map((each) => ({ price: each, ...charged(payment) }))
        : [{ price }]
    }
    case 3:
      return price > fee ? [{ price: price - fee, fee_price: fee, ...charged(payment) }] : [{ price }]
    case 4:
      return refund ? [{ price: -refund.price, ...charged(refund) }] : [{ price: -permille }]
    case 5:
      if (isGateway) return [{ price: -price, charge_id: `po-${fresh()}` }]
      return payout
        ? [{ price: -payout.price, description: `Payout ${payout.charge_id}` }]
        : [{ price: permille }]
    case 6:
      return [{ price: -fee, fee_price: fee }]
    default:
      return [{ price: picks[3] % 2 === 0 ? permille : -permille }]
  }
}

function matchStep({ picks, isOne, isTwo }: WorldWish, { world }: WorldSituation, line_id: string): BankStep {
  const line = world.lines.find((each) => each.line_id === line_id)!
  const gross = grossOf(line)
  const reason = 'Booked'
  const order_id = at([...world.orders.keys()], picks[2])!
  const payment = at(world.payments, picks[2])
  const refund = at(world.refunds, picks[2])
  const step = { kind: 'match' as const, line_ids: [line_id], payment_ids: [], refund_ids: [], book: [] }
  // A line that is only a fee needs no counterpart.
  if (gross === 0) return step
  const ways: Booking['as'][] =
    gross > 0 ? ['payment', 'payment', 'unidentified'] : ['refund', 'chargeback', 'fee']
  const as = at(ways, picks[1])!
  const named = picks[2] % 3 === 0 && gross < 0 && payment ? { payment_id: payment.payment_id } : {}
  const part = (price: number): Booking => ({ as, price, order_id, reason, ...named })
  const rest = (counted: number): Booking[] =>
    counted === gross ? [] : [{ as: 'difference', price: gross - counted, reason }]
  switch (picks[3] % 6) {
    case 0: {
      // Lines and payments of the same sum, of one charge where there is one.
      const same = world.lines.filter((each) => line.charge_id !== null && each.charge_id === line.charge_id)
      const lines = same.length > 0 && isOne ? same : [line]
      const sought = sum(lines.map(grossOf))
      const payment_ids = world.payments
        .filter(({ price }) => price === sought)
        .map((each) => each.payment_id)
      const refund_ids = world.refunds.filter(({ price }) => price === -sought).map((each) => each.refund_id)
      return {
        ...step,
        line_ids: lines.map((each) => each.line_id),
        payment_ids: payment_ids.slice(0, 1),
        refund_ids: refund_ids.slice(0, 1),
      }
    }
    case 1: {
      const counted = payment
        ? payment.currency === world.currency
          ? payment.price
          : payment.order_price
        : 0
      return { ...step, payment_ids: payment ? [payment.payment_id] : [], book: rest(counted) }
    }
    case 2:
      return { ...step, refund_ids: refund ? [refund.refund_id] : [], book: rest(-(refund?.price ?? 0)) }
    case 3: {
      const first = Math.trunc(gross / 3)
      return { ...step, book: first === 0 ? [part(gross)] : [part(first), part(gross - first)] }
    }
    case 4: {
      // The payment of the charge by its id, and the charge once more.
      const known = world.payments.find(
        ({ charge_id }) => charge_id !== undefined && charge_id === line.charge_id,
      )
      if (known && isTwo)
        return { ...step, payment_ids: [known.payment_id], book: [part(gross), ...rest(2 * gross)] }
      return { ...step, book: [part(gross)] }
    }
    default:
      return { ...step, book: [part(gross)] }
  }
}
