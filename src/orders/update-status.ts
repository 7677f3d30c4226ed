import { type Static, Type } from 'typebox'
import { deadlineOf } from '../contract/days.ts'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { type InputFault, requireFinance } from '../contract/errors.ts'
import { described, Id, LocalTime, OrganizationId, oneOf } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { changeOrder } from './change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, Reason, Version } from './ledger/fields.ts'
import { held, moveTo, type OrderState } from './rules/order-rules.ts'
import { withNewDeadlines } from './rules/reopen.ts'
import { refuseStale } from './rules/stale.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  status: oneOf(orderStatuses, 'The status to move to'),
  reason: Type.Optional(Reason),
  retain: Type.Optional(
    Type.Boolean({
      description:
        'Keeps what a canceled order holds; needs a reason and the permission finance. Otherwise its money has to be ' +
        'refunded or transferred first',
    }),
  ),
  version: Type.Optional(Version),
  payment_deadline: Type.Optional(
    described(
      LocalTime,
      'For an expired order that is taken up again: the new deadline of the first unpaid sub-order; the others move alike',
    ),
  ),
  payment_deadlines: Type.Optional(
    Type.Array(Type.Object({ sub_order_id: Id, payment_deadline: LocalTime }), {
      maxItems: 60,
      description:
        'Likewise: the new deadlines of single unpaid sub-orders, which do not move with the others',
    }),
  ),
  dry_run: DryRun,
})

/** Moves an order along the state machine; an illegal move is 40904 and names the legal ones. */
export const updateStatus = endpoint({
  id: 'updateStatus',
  method: 'POST',
  path: '/api/v5/entity/order/status/update',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  movesMoney: true,
  guard: {
    effect: 'irreversible',
    ...anyOrder,
    unconfirmed: 'Only canceled is final: a new order takes its place, and the history keeps the old one.',
  },
  summary: 'Move an order to another status',
  description:
    'The table of moves stands at /docs/orders. An order becomes a success by money or by a write-off only, expires only ' +
    'where it has received nothing, and is canceled once nothing is left in it, or what is left is retained. Where an expired order is taken up again, the deadlines of what is ' +
    'unpaid move alike: as payment_deadline says, or by whole days until none has passed.',
  input: Input,
  rules: retainsWithReason,
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      status: 'locked',
      reason: 'Dispute with the card issuer',
    },
    data: { order_id: '0198c0de11117c41a2f0d8e6b4937215', status: 'locked', version: 3 },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'staleVersion', 'stateForbids'],
  handle: withDryRun(({ order_id }) => [order_id], moveOrder),
})

function retainsWithReason({ retain, status, reason }: Partial<Static<typeof Input>>): InputFault[] {
  if (!retain) return []
  return [
    ...(status === 'canceled' ? [] : [{ param: 'retain', reason: 'is for orders that are canceled' }]),
    ...(reason === undefined
      ? [{ param: 'reason', reason: 'is required with retain', missing: true as const }]
      : []),
  ]
}

async function moveOrder(context: OrganizationContext, input: Static<typeof Input>) {
  const { corp_id, order_id } = input
  const changer = { db: context.db, corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, input, async () => (_input, state, at) => {
    refuseStale(state.version, input.version)
    const moved = moveTo(state, input.status, at, input.retain)
    if (moved.status === 'canceled' && held(state) > 0) requireFinance(context.account, 'retaining money')
    return {
      state: state.status === 'expired' ? reopened(context, input, moved) : moved,
      cause: { change: 'status', reason: input.reason ?? null, subject_id: null },
      result: ({ version, to_status }) => ({ order_id, status: to_status, version }),
    }
  })
}

function reopened(
  { organization, now }: OrganizationContext,
  { payment_deadline, payment_deadlines = [] }: Static<typeof Input>,
  moved: OrderState,
): OrderState {
  const timeZone = organization.time_zone
  const time = (text: string) => deadlineOf(text, timeZone)
  const deadlines = {
    ...(payment_deadline !== undefined && { first: time(payment_deadline) }),
    named: new Map(payment_deadlines.map((one) => [one.sub_order_id, time(one.payment_deadline)])),
  }
  return { ...moved, subOrders: withNewDeadlines(moved.subOrders, deadlines, { now, timeZone }) }
}
