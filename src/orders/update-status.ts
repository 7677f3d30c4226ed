import { deadlineOf } from '../contract/days.ts'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { type InputFault, requireFinance } from '../contract/errors.ts'
import { described, Id, LocalTime, NullableString, OrganizationId, oneOf } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { type Static, Type } from '../contract/type.ts'
import { changeOrder } from './change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, Reason, Version } from './ledger/fields.ts'
import { type Approval, orAskSecondPerson, requireWithinLimit } from './limits/ask-second-person.ts'
import { findLimits } from './limits/money-limit-store.ts'
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
        'Retain the money of a canceled order; requires a reason and the permission finance. Otherwise the money must be ' +
        'refunded or transferred first',
    }),
  ),
  version: Type.Optional(Version),
  payment_deadline: Type.Optional(
    described(
      LocalTime,
      'For an expired order that is reopened: the new deadline of the first unpaid sub-order; the others move by as much',
    ),
  ),
  payment_deadlines: Type.Optional(
    Type.Array(Type.Object({ sub_order_id: Id, payment_deadline: LocalTime }), {
      maxItems: 60,
      description: 'For an expired order that is reopened: the new deadlines of single unpaid sub-orders',
    }),
  ),
  dry_run: DryRun,
})
type StatusInput = Static<typeof Input>

/** Moves an order along the state machine. An illegal move is 40904 and names the legal ones. */
export const updateStatus = endpoint({
  id: 'updateStatus',
  method: 'POST',
  path: '/api/v5/entity/order/status/update',
  group: 'Orders',
  permission: 'write',
  movesMoney: true,
  guard: {
    effect: 'irreversible',
    ...anyOrder,
    secondApprover: 'money limit',
    unconfirmed: 'Only canceled is final: a new order takes its place, and the history keeps the old one.',
  },
  summary: 'Move an order to another status',
  description:
    'The table of moves is at /docs/orders. Between created, pending and success only money moves an order; a locked order ' +
    'moves to the one that its money implies. An order expires only if it has received nothing. It is canceled if it ' +
    'holds no money, or if the money is retained. When an expired order is reopened, all unpaid deadlines move by the ' +
    'same distance: to payment_deadline, or by whole days until none has passed.',
  input: Input,
  rules: retainsWithReason,
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    state: oneOf(['done', 'waiting'], 'waiting: for a second approver; the order is unchanged'),
    request_id: described(NullableString, 'The id for approval/approve, if it waits'),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '01983828e9307babb98f2d2211ffc43f',
      status: 'locked',
      reason: 'Dispute with the card issuer',
    },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      status: 'locked',
      version: 3,
      state: 'done',
      request_id: null,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'staleVersion', 'stateForbids'],
  handle: withDryRun(({ order_id }) => [order_id], moveOrAsk),
})

function retainsWithReason({ retain, status, reason }: Partial<StatusInput>): InputFault[] {
  if (!retain) return []
  return [
    ...(status === 'canceled' ? [] : [{ param: 'retain', reason: 'requires the status canceled' }]),
    ...(reason === undefined
      ? [{ param: 'reason', reason: 'is required with retain', missing: true as const }]
      : []),
  ]
}

async function moveOrAsk(context: OrganizationContext, input: StatusInput) {
  return orAskSecondPerson(
    context,
    input,
    () => moveOrder(context, input, { isApproved: false }),
    ({ order_id, order_status: status, order_version: version }, request_id) => ({
      order_id,
      status,
      version,
      state: 'waiting' as const,
      request_id,
    }),
  )
}

export async function moveOrder(context: OrganizationContext, input: StatusInput, approval: Approval) {
  const { corp_id, order_id, retain } = input
  const changer = { db: context.db, corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, input, async (tx) => {
    const limits = retain ? await findLimits(tx, corp_id, 'retention') : {}
    return (_input, state, at) => {
      refuseStale(state.version, input.version)
      const moved = moveTo(state, input.status, at, retain)
      if (moved.status === 'canceled' && held(state) > 0) {
        requireFinance(context.account, 'retaining money')
        requireWithinLimit('retention', limits, state, held(state), approval)
      }
      return {
        state: state.status === 'expired' ? reopened(context, input, moved) : moved,
        cause: { change: 'status', reason: input.reason ?? null, subject_id: null },
        result: ({ version, to_status }) => ({
          order_id,
          status: to_status,
          version,
          state: 'done' as const,
          request_id: null,
        }),
      }
    }
  })
}

function reopened(
  { organization, now }: OrganizationContext,
  { payment_deadline, payment_deadlines = [] }: StatusInput,
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
