import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { changeOrder } from './change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, Reason, Version } from './ledger/fields.ts'
import { forbidden, outstanding, writeOff } from './rules/order-rules.ts'
import { refuseStale } from './rules/stale.ts'
import { payableStatuses } from './rules/status.ts'

/** Gives up what is still owed of an order. */
export const writeOffOrder = endpoint({
  id: 'writeOffOrder',
  method: 'POST',
  path: '/api/v5/entity/order/write-off',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder },
  summary: 'Write off what is still owed of an order',
  description:
    'What is unpaid will not be paid any more, and the order is a success. What is paid all the same, later, is taken, and ' +
    'is not written off any more.',
  input: Type.Object({
    corp_id: OrganizationId,
    order_id: Id,
    reason: described(Reason, 'Why it will not be paid'),
    version: Type.Optional(Version),
    dry_run: DryRun,
  }),
  data: Type.Object({
    order_id: Id,
    price: described(Money, 'What was written off'),
    order_status: oneOf(orderStatuses),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      reason: 'The company is insolvent',
    },
    data: {
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      price: 480_000,
      order_status: 'success',
      order_version: 5,
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
        const price = outstanding(before)
        if (!payableStatuses.includes(before.status) || price === 0)
          throw forbidden(
            before,
            `Nothing can be written off: the order is ${before.status} and owes ${price}.`,
          )
        return {
          state: writeOff(before, at),
          cause: { change: 'write_off', reason, subject_id: null },
          result: ({ version, to_status }) => ({
            ...{ order_id, price, order_status: to_status, order_version: version },
          }),
        }
      })
    },
  ),
})
