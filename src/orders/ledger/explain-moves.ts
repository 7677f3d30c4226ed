import { described, Money, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import { held, type OrderState, obstacleTo, outstanding, received, refunded } from '../rules/order-rules.ts'
import { paymentSlots } from '../rules/payment-slots.ts'
import { payableStatuses, repriceableStatuses } from '../rules/status.ts'

const codes = [
  'possible',
  'no_such_move',
  'follows_money',
  'has_received',
  'holds_money',
  'wrong_status',
  'slots_full',
  'nothing_held',
  'nothing_owed',
] as const
type Code = (typeof codes)[number]

const possibility = { is_possible: Type.Boolean(), code: oneOf(codes), because: Type.String() }
const Possibility = Type.Object(possibility)
const LimitedPossibility = Type.Object({ ...possibility, at_most: Money })

/** The possible actions on an order, as order/explain returns them. */
export const Possibilities = {
  moves: Type.Array(Type.Object({ status: oneOf(orderStatuses), ...possibility })),
  payment: Possibility,
  refund: LimitedPossibility,
  transfer: described(LimitedPossibility, 'To another order'),
  retain: described(LimitedPossibility, 'To cancel it and retain the money that it holds'),
  write_off: LimitedPossibility,
  reprice: described(Possibility, 'To change prices, coupons or instalments'),
}

const possible = (because: string) => ({ is_possible: true, code: 'possible' as Code, because })
const impossible = (code: Code, because: string) => ({ is_possible: false, code, because })

/** The actions that are possible on an order now, and the reason why others are not. */
export function possibilitiesOf(state: OrderState) {
  const { status } = state
  const atMost = held(state)
  const holding = `received ${received(state)} − refunded ${refunded(state)}`
  const money = atMost > 0 ? possible(holding) : impossible('nothing_held', holding)
  return {
    moves: orderStatuses.filter((to) => to !== status).map((to) => ({ status: to, ...moveTo(state, to) })),
    payment: paymentTo(state),
    refund: { ...money, at_most: atMost },
    transfer: { ...money, at_most: atMost },
    retain: { ...(atMost > 0 ? moveTo(state, 'canceled', true) : money), at_most: atMost },
    write_off: { ...writeOffOf(state), at_most: outstanding(state) },
    reprice: repriceableStatuses.includes(status)
      ? possible(`prices of an order that is ${status} can change`)
      : impossible('wrong_status', `prices and instalments do not change while the order is ${status}`),
  }
}

function moveTo(state: OrderState, to: OrderState['status'], retains = false) {
  const obstacle = obstacleTo(state, to, retains)
  return obstacle ? impossible(obstacle.code, obstacle.because) : possible('the state machine has this move')
}

function paymentTo({ status, subOrders }: OrderState) {
  if (!payableStatuses.includes(status))
    return impossible(
      'wrong_status',
      `an order that is ${status} takes no payments: what arrives is stored as unapplied`,
    )
  if (subOrders.every(({ payments }) => payments >= paymentSlots))
    return impossible(
      'slots_full',
      `every sub-order has taken ${paymentSlots} payments: what arrives is stored as unapplied`,
    )
  return possible(`an order that is ${status} takes payments`)
}

function writeOffOf(state: OrderState) {
  const owed = outstanding(state)
  if (!payableStatuses.includes(state.status))
    return impossible('wrong_status', `nothing is written off of an order that is ${state.status}`)
  return owed > 0 ? possible(`${owed} is unpaid`) : impossible('nothing_owed', 'nothing is unpaid')
}

/** The example of a paid order, for the documentation. */
export const examplePossibilities = {
  moves: [{ status: 'locked' as const, ...possible('the state machine has this move') }],
  payment: possible('an order that is success takes payments'),
  refund: { ...possible('received 1280000 − refunded 0'), at_most: 1_280_000 },
  transfer: { ...possible('received 1280000 − refunded 0'), at_most: 1_280_000 },
  retain: { ...possible('the state machine has this move'), at_most: 1_280_000 },
  write_off: { ...impossible('nothing_owed', 'nothing is unpaid'), at_most: 0 },
  reprice: impossible('wrong_status', 'prices and instalments do not change while the order is success'),
}
