import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { Id, LongText, OrganizationId } from '../contract/fields.ts'
import { changeOrder } from './change-order.ts'
import { insertRemark } from './payments/payment-store.ts'

/** Adds a remark to an order. */
export const createRemark = endpoint({
  id: 'createRemark',
  method: 'POST',
  path: '/api/v5/entity/order/remark/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  summary: 'Add a remark to an order',
  input: Type.Object({ corp_id: OrganizationId, order_id: Id, content: LongText }),
  data: Type.Object({ id: Id, order_id: Id, version: Type.Integer() }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      content: 'Asked for an invoice in the company’s name',
    },
    data: {
      id: '0198c0de88887c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      version: 4,
    },
  },
  errors: ['orderNotFound'],

  async handle(context, { corp_id, order_id, content }) {
    const executor_id = context.account.app_id
    return changeOrder({ ...context, corp_id, executor_id }, order_id, async (tx, state, at) => {
      const remark_id = context.newId()
      await insertRemark(tx, corp_id, { remark_id, order_id, content, executor_id }, at)
      return {
        state,
        change: { change: 'remark', reason: null, subject_id: remark_id },
        result: ({ version }) => ({ id: remark_id, order_id, version }),
      }
    })
  },
})
