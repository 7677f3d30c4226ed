import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  NullableInteger,
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
import { findMoneyOfOrder, type MoneyFact, type MoneyVersion } from './order-money-store.ts'

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
  receipt_num: NullableInteger,
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
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List every money entry of an order',
  description:
    'Payments, voids, transfers, refunds, credits, write-offs, reversals and changes of the price, in the currency of the ' +
    'order. The sum of `price` is held_price. The sum of `claim_price` less held_price is unpaid_price, or below 0 the ' +
    'over_payment_price. An order that cannot be paid owes nothing.',
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
    input: { corp_id: '0198c0de00007c41a2f0d8e6b4937215', order_id: '0198c0de11117c41a2f0d8e6b4937215' },
    data: {
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
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
          id: '0198c0de44447c41a2f0d8e6b4937215',
          payment_id: '0198c0de44447c41a2f0d8e6b4937215',
          receipt_num: 202_400_000_017,
          price: 1_280_000,
          claim_price: 0,
          held_price: 1_280_000,
          unpaid_price: 0,
          over_payment_price: 0,
          reason: '',
          executor_id: '0198c0de99997c41a2f0d8e6b4937215',
        },
      ],
    },
  },
  errors: ['orderNotFound'],

  async handle({ db, organization }, { corp_id, order_id, ...paging }) {
    const { page, page_size, limit, offset } = windowOf(paging)
    const state = (await readStates(db, corp_id, [order_id])).get(order_id)
    if (!state) throw new ApiError('orderNotFound')
    const { versions, facts } = await findMoneyOfOrder(db, { corp_id, order_id }, organization.time_zone)
    const rows = rowsOf(versions, facts)
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
  payment_id?: string
  receipt_num?: number | null
}

function rowsOf(versions: MoneyVersion[], facts: MoneyFact[]): MoneyRow[] {
  const factsAt = Map.groupBy(facts, ({ at }) => at)
  const sums = { total: 0, held: 0, claim: 0, unpaid: 0 }
  return versions.flatMap((version) => {
    const repriced = version.total_price - sums.total
    sums.total = version.total_price
    const effects = [
      ...(repriced === 0 ? [] : [{ kind: 'price' as const, price: 0, claim_price: repriced }]),
      ...(factsAt.get(version.at) ?? []).flatMap((fact) => effectsOf(fact, version)),
    ]
    const unpaid = (claim: number, paid: number) =>
      owingStatuses.includes(version.status) ? Math.max(0, claim - paid) : 0
    if (effects.length === 0 && unpaid(sums.claim, sums.held) !== sums.unpaid)
      effects.push({ kind: 'status', price: 0, claim_price: 0 })
    return effects.map(({ kind, price, claim_price, payment_id = '', receipt_num = null }) => {
      sums.held += price
      sums.claim += claim_price
      sums.unpaid = unpaid(sums.claim, sums.held)
      return {
        time: version.time,
        kind,
        id: version.subject_id,
        payment_id,
        receipt_num,
        price,
        claim_price,
        held_price: sums.held,
        unpaid_price: sums.unpaid,
        over_payment_price: Math.max(0, sums.held - sums.claim),
        reason: version.reason,
        executor_id: version.executor_id,
      }
    })
  })
}

const changes: readonly string[] = kinds

function effectsOf(
  { kind, price, credited_price, payment_id, receipt_num }: MoneyFact,
  { change }: MoneyVersion,
) {
  const named = { payment_id, receipt_num }
  const isReversal = change === 'reversal'
  if (kind === 'write_off')
    return [
      { kind: isReversal ? ('reversal' as const) : ('write_off' as const), price: 0, claim_price: -price },
    ]
  const ofChange = changes.includes(change) ? (change as MoneyRow['kind']) : 'apply'
  const entry: Effect = { kind: ofChange, price, claim_price: 0, ...named }
  if (credited_price === 0) return [entry]
  const credit: Effect = {
    kind: isReversal ? 'reversal' : 'credit',
    price: 0,
    claim_price: -credited_price,
    ...named,
  }
  return [entry, credit]
}
