import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  NullableBigInteger,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { readStates } from '../ledger/order-state-store.ts'
import { credited, held, outstanding, overpaid, writtenOff } from '../rules/order-rules.ts'
import { owingStatuses } from '../rules/status.ts'
import { findMoneyOfOrder, type MoneyFact, type MoneyVersion, type OrderMoney } from './order-money-store.ts'

const kinds = [
  'price',
  'payment',
  'void',
  'apply',
  'unapply',
  'transfer',
  'move',
  'refund',
  'credit',
  'write_off',
  'reversal',
  'status',
] as const

const MoneyRow = namedObject('OrderMoneyRow', {
  time: Timestamp,
  kind: oneOf(kinds),
  id: described(Type.String(), 'The payment, refund or transfer of the entry'),
  payment_id: Type.String(),
  receipt_num: described(NullableBigInteger, 'Of the payment'),
  receipt_url: described(Type.String(), 'The page with the receipts of its order'),
  completed_time: described(Timestamp, 'The value date of the payment or refund; "" for other entries'),
  source: Type.String(),
  method: Type.String(),
  charge_id: Type.String(),
  other_order_id: described(Type.String(), 'The order that a transfer came from or went to'),
  price: described(Money, 'The change of the held amount: money in is above 0, money out below'),
  claim_price: described(Money, 'The change of the amount to pay: price less credits and write-offs'),
  held_price: described(Money, 'Held after this row'),
  unpaid_price: described(Money, 'Unpaid after this row'),
  over_payment_price: described(Money, 'Overpaid after this row'),
  reason: Type.String(),
  executor_id: Type.String(),
})
type MoneyRow = Static<typeof MoneyRow>

/** Every entry that moves the money of an order, with the sums after it. */
export const listOrderMoney = endpoint({
  id: 'listOrderMoney',
  method: 'GET',
  path: '/api/v5/entity/order/money/list',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List every money entry of an order',
  description:
    'Payments, voids, transfers, refunds, credits, write-offs, reversals and changes of the price, in the currency of the ' +
    'order. The sum of `price` is held_price. The sum of `claim_price` less held_price is unpaid_price less ' +
    'over_payment_price; an order that cannot be paid owes nothing. Money that the order could not take is a row with the ' +
    'price 0.',
  input: Type.Object({ corp_id: OrganizationId, order_id: Id, ...pageParameters }),
  data: Type.Object({
    order_id: Id,
    currency: Type.String(),
    total_price: Money,
    credited_price: Money,
    written_off_price: Money,
    held_price: Money,
    unpaid_price: Money,
    over_payment_price: Money,
    ...pageOf(MoneyRow).properties,
  }),
  example: {
    input: { corp_id: 'lakeside', order_id: '01a00491d4087169b3c88f8f9813ae4a' },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      currency: 'CNY',
      total_price: 1_280_000,
      credited_price: 0,
      written_off_price: 0,
      held_price: 1_280_000,
      unpaid_price: 0,
      over_payment_price: 0,
      total: 2,
      page: 0,
      page_size: 10,
      list: [
        {
          time: '2024-03-11 09:30:00',
          kind: 'payment',
          id: '01a0121322587365aa30fc31c91b3d5f',
          payment_id: '01a0121322587365aa30fc31c91b3d5f',
          receipt_num: 202_400_000_017,
          receipt_url: '/receipts/lakeside/Zk3vQ1',
          completed_time: '2024-03-11 09:30:00',
          source: 'payment_gateway',
          method: 'card',
          charge_id: 'ch_20240311_0001',
          other_order_id: '',
          price: 1_280_000,
          claim_price: 0,
          held_price: 1_280_000,
          unpaid_price: 0,
          over_payment_price: 0,
          reason: '',
          executor_id: 'lakeside-finance',
        },
      ],
    },
  },
  errors: ['orderNotFound'],

  async handle({ db, organization }, { corp_id, order_id, ...paging }) {
    const { page, page_size, limit, offset } = windowOf(paging)
    const state = (await readStates(db, corp_id, [order_id])).get(order_id)
    if (!state) throw new ApiError('orderNotFound')
    const rows = rowsOf(await findMoneyOfOrder(db, { corp_id, order_id }, organization.time_zone))
    return {
      order_id,
      currency: state.currency,
      total_price: state.total_price,
      credited_price: credited(state),
      written_off_price: writtenOff(state),
      held_price: held(state),
      unpaid_price: outstanding(state),
      over_payment_price: overpaid(state),
      total: rows.length,
      page,
      page_size,
      list: rows.slice(offset, offset + limit),
    }
  },
})

interface Effect {
  kind: MoneyRow['kind']
  price: number
  claim_price: number
  payment_id: string
}

function rowsOf({ versions, facts, sources }: OrderMoney): MoneyRow[] {
  const factsAt = Map.groupBy(facts, ({ at }) => at)
  const known = new Map(sources.map((source) => [source.id, source]))
  const sums = { total: 0, held: 0, claim: 0, unpaid: 0 }
  const subOrders = createSubOrderSums()
  return withFactsOf(versions, facts).flatMap((version) => {
    const changed = factsAt.get(version.at) ?? []
    const repriced = version.total_price - sums.total
    sums.total = version.total_price
    const tied = subOrders.tiedAfter(version, changed)
    const unpaidAfter = ({ claim, held }: { claim: number; held: number }) =>
      owingStatuses.includes(version.status) ? Math.max(0, claim - held) + tied : 0
    const effects = [
      ...(repriced === 0 ? [] : [effect('price', { claim_price: repriced })]),
      ...effectsOf(changed, version),
    ]
    if (effects.length === 0 && unpaidAfter(sums) !== sums.unpaid) effects.push(effect('status', {}))
    return effects.map(({ kind, price, claim_price, payment_id }) => {
      sums.held += price
      sums.claim += claim_price
      sums.unpaid = unpaidAfter(sums)
      const {
        completed_time = '',
        source = '',
        method = '',
        charge_id = '',
      } = (kind !== 'price' && known.get(known.has(version.subject_id) ? version.subject_id : payment_id)) ||
      {}
      return {
        time: version.time,
        kind,
        id: version.subject_id,
        payment_id,
        receipt_num: known.get(payment_id)?.receipt_num ?? null,
        receipt_url: known.get(payment_id)?.receipt_url ?? '',
        completed_time,
        source,
        method,
        charge_id,
        other_order_id: version.other_order_id,
        price,
        claim_price,
        held_price: sums.held,
        unpaid_price: sums.unpaid,
        over_payment_price: Math.max(0, sums.held - sums.claim) + tied,
        reason: version.reason,
        executor_id: version.executor_id,
      }
    })
  })
}

/**
 * Adds a version for each fact that has none: orders that were loaded with their history have only their last version, and old
 * versions are archived. The order owed its price then; its later status is a row of its own.
 */
function withFactsOf(versions: MoneyVersion[], facts: MoneyFact[]): MoneyVersion[] {
  const known = new Set(versions.map(({ at }) => at))
  const lost = [...Map.groupBy(facts, ({ at }) => at).values()].flatMap(([fact]): MoneyVersion[] => {
    const next = versions.find(({ at }) => fact && at > fact.at) ?? versions.at(-1)
    if (!fact || !next || known.has(fact.at)) return []
    const { at, time, kind, payment_id } = fact
    const change = kind === 'line' ? 'payment' : kind
    const subject_id = kind === 'line' ? payment_id : ''
    return [
      {
        ...{ ...next, at, time, change, subject_id, status: 'pending' },
        ...{ other_order_id: '', reason: '', executor_id: '' },
      },
    ]
  })
  return [...lost, ...versions].sort((one, other) => (one.at < other.at ? -1 : 1))
}

/**
 * The held and claimed amounts of each sub-order. A surplus is tied to its sub-order if another one owes something and has
 * no free slot: then the order is unpaid and overpaid at once.
 */
function createSubOrderSums() {
  const held = new Map<string, number>()
  const reduced = new Map<string, number>()
  const add = (sums: Map<string, number>, id: string, price: number) =>
    sums.set(id, (sums.get(id) ?? 0) + price)
  return {
    tiedAfter({ sub_order_prices }: MoneyVersion, facts: MoneyFact[]): number {
      for (const { kind, sub_order_id, price, credited_price } of facts) {
        add(reduced, sub_order_id, kind === 'write_off' ? price : credited_price)
        if (kind !== 'write_off') add(held, sub_order_id, price)
      }
      const lacks = Object.entries(sub_order_prices).map(
        ([id, price]) => price - (reduced.get(id) ?? 0) - (held.get(id) ?? 0),
      )
      const sumOf = (amounts: number[]) => amounts.reduce((all, amount) => all + Math.max(0, amount), 0)
      return Math.min(sumOf(lacks), sumOf(lacks.map((lack) => -lack)))
    },
  }
}

const changes: readonly string[] = kinds

/** Changes with a row of their own, even if they move no money of the order: it was unapplied. */
const ownChanges: readonly string[] = ['payment', 'void', 'refund']

/** The effects of a version: one per payment, with the credit beside it, or one for a write-off. */
function effectsOf(facts: MoneyFact[], { change, subject_id }: MoneyVersion): Effect[] {
  const own = changes.includes(change) ? (change as MoneyRow['kind']) : 'apply'
  const isReversal = change === 'reversal'
  const groups = Map.groupBy(facts, ({ kind, payment_id }) => `${kind} ${payment_id}`)
  const effects = [...groups.values()].flatMap((group) => {
    const { kind, payment_id } = group[0]!
    const price = group.reduce((all, fact) => all + fact.price, 0)
    const credit = group.reduce((all, fact) => all + fact.credited_price, 0)
    if (kind === 'write_off') return [effect(isReversal ? 'reversal' : 'write_off', { claim_price: -price })]
    return [
      effect(own, { price, payment_id }),
      effect(isReversal ? 'reversal' : 'credit', { claim_price: -credit, payment_id }),
    ]
  })
  const moving = effects.filter(({ price, claim_price }) => price !== 0 || claim_price !== 0)
  if (moving.length > 0 || !ownChanges.includes(change)) return moving
  return [effect(own, { payment_id: change === 'refund' ? '' : subject_id })]
}

function effect(kind: MoneyRow['kind'], more: Partial<Effect>): Effect {
  return { kind, price: 0, claim_price: 0, payment_id: '', ...more }
}
