import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { Id, LongText, OrganizationId } from '../contract/fields.ts'
import { type Static, Type } from '../contract/type.ts'
import { changeOrder, type FindRule } from './change-orders.ts'
import { anyOrder } from './ledger/fields.ts'

const Input = Type.Object({ corp_id: OrganizationId, order_id: Id, content: LongText })

type RemarkInput = Static<typeof Input>

/** Adds a remark to an order. */
export const createRemark = endpoint({
  id: 'createRemark',
  method: 'POST',
  path: '/api/v5/entity/order/remark/create',
  group: 'Orders',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Add a remark to an order',
  input: Input,
  data: Type.Object({ id: Id, order_id: Id, version: Type.Integer() }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      content: 'Asked for an invoice in the company’s name',
    },
    data: {
      id: '0198c0de88887c41a2f0d8e6b4937215',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      version: 4,
    },
  },
  errors: ['orderNotFound'],

  async handle(context, input) {
    const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
    return changeOrder(changer, input, remarkRule(context))
  },
})

/** Adds remarks to orders, for the operation and for imports. */
export function remarkRule({
  newId,
  account,
}: OrganizationContext): FindRule<RemarkInput, { id: string; order_id: string; version: number }> {
  return async () =>
    ({ order_id, content }, state, at) => {
      const remark_id = newId()
      return {
        state,
        facts: {
          order_remarks: [{ remark_id, order_id, content, executor_id: account.app_id, ctime: at }],
        },
        cause: { change: 'remark', reason: null, subject_id: remark_id },
        result: ({ version }) => ({ id: remark_id, order_id, version }),
      }
    }
}
