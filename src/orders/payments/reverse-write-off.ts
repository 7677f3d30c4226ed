import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import { changeOrder } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, PaidPrice, Reason, Version } from '../ledger/fields.ts'
import { forbidden, writeOff, writtenOff } from '../rules/order-rules.ts'
import { refuseStale } from '../rules/stale.ts'
import { payableStatuses } from '../rules/status.ts'

/** Reinstates a written-off amount of an order. */
export const reverseWriteOff = endpoint({
  id: 'reverseWriteOff',
  method: 'POST',
  path: '/api/v5/entity/order/write-off/reverse',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Reverse a write-off of an order',
  description:
    'The amount is owed again, the last sub-orders first. A surplus of the order pays it at once. The status moves back if ' +
    'something is unpaid.',
  input: Type.Object({
    corp_id: OrganizationId,
    order_id: Id,
    price: Type.Optional(described(PaidPrice, 'The amount to reinstate; default: all that is written off')),
    reason: described(Reason, 'Why it is owed again'),
    version: Type.Optional(Version),
    dry_run: DryRun,
  }),
  data: Type.Object({
    order_id: Id,
    price: described(Money, 'The reinstated amount'),
    order_status: oneOf(orderStatuses),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '019f173800b07584a4bd800f8b3c09d5',
      reason: 'The insolvency was settled',
    },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 480_000,
      order_status: 'pending',
      order_version: 6,
    },
  },
  errors: ['orderNotFound', 'staleVersion', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    async ({ db, account }, input) => {
      const { corp_id, order_id, reason } = input
      const changer = { db, corp_id, executor_id: account.app_id }
      return changeOrder(changer, input, async () => (_input, before, at) => {
        refuseStale(before.version, input.version)
        const most = writtenOff(before)
        const { price = most } = input
        if (!payableStatuses.includes(before.status) || most === 0 || price > most)
          throw forbidden(
            before,
            `${price} cannot be reinstated: the order is ${before.status}, and ${most} of it is written off.`,
          )
        return {
          state: writeOff(before, -price, at),
          cause: { change: 'reversal', reason, subject_id: null },
          result: ({ version, to_status }) => ({
            order_id,
            price,
            order_status: to_status,
            order_version: version,
          }),
        }
      })
    },
  ),
})
