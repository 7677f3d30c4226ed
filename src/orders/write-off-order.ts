import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { described, Id, Money, NullableString, OrganizationId, oneOf } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { type Static, Type } from '../contract/type.ts'
import { changeOrder } from './change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, PaidPrice, Reason, Version } from './ledger/fields.ts'
import { type Approval, orAskSecondPerson, requireWithinLimit } from './limits/ask-second-person.ts'
import { findLimits } from './limits/money-limit-store.ts'
import { forbidden, outstanding, writeOff, writtenOff } from './rules/order-rules.ts'
import { refuseStale } from './rules/stale.ts'
import { payableStatuses } from './rules/status.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  price: Type.Optional(described(PaidPrice, 'The amount to write off; default: all that is unpaid')),
  reason: described(Reason, 'Why it will not be paid'),
  version: Type.Optional(Version),
  dry_run: DryRun,
})
type WriteOffInput = Static<typeof Input>

/** Writes off an unpaid amount of an order. */
export const writeOffOrder = endpoint({
  id: 'writeOffOrder',
  method: 'POST',
  path: '/api/v5/entity/order/write-off',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'money limit' },
  summary: 'Write off an unpaid amount of an order',
  description:
    'The amount is not owed any more; if nothing else is unpaid, the order is a success. A partial amount is taken from the ' +
    'last sub-orders first. A later payment is a surplus, until order/write-off/reverse reinstates the debt.',
  input: Input,
  data: Type.Object({
    order_id: Id,
    price: described(Money, 'The written-off amount'),
    state: oneOf(['done', 'waiting'], 'waiting: for a second approver; nothing is written off yet'),
    request_id: described(NullableString, 'The id for approval/approve, if it waits'),
    order_status: oneOf(orderStatuses),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '019f173800b07584a4bd800f8b3c09d5',
      reason: 'The company is insolvent',
    },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 480_000,
      state: 'done',
      request_id: null,
      order_status: 'success',
      order_version: 5,
    },
  },
  errors: ['orderNotFound', 'staleVersion', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    (context, input) =>
      orAskSecondPerson(
        context,
        input,
        () => recordWriteOff(context, input, { isApproved: false }),
        ({ order_id, order_status, order_version, price }, request_id) => ({
          order_id,
          price,
          state: 'waiting' as const,
          request_id,
          order_status,
          order_version,
        }),
      ),
  ),
})

export async function recordWriteOff(
  { db, account }: OrganizationContext,
  input: WriteOffInput,
  approval: Approval,
) {
  const { corp_id, order_id, reason } = input
  const changer = { db, corp_id, executor_id: account.app_id }
  return changeOrder(changer, input, async (tx) => {
    const limits = await findLimits(tx, corp_id, 'write_off')
    return (_input, before, at) => {
      refuseStale(before.version, input.version)
      const owed = outstanding(before)
      const { price = owed } = input
      if (!payableStatuses.includes(before.status) || owed === 0 || price > owed)
        throw forbidden(
          before,
          `${price} cannot be written off: the order is ${before.status} and owes ${owed}.`,
        )
      requireWithinLimit('write_off', limits, before, writtenOff(before) + price, approval)
      return {
        state: writeOff(before, price, at),
        cause: { change: 'write_off', reason, subject_id: null },
        result: ({ version, to_status }) => ({
          order_id,
          price,
          state: 'done' as const,
          request_id: null,
          order_status: to_status,
          order_version: version,
        }),
      }
    }
  })
}
