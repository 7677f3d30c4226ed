import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, LongText, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { erasePerson } from './erase-person.ts'
import { finishErasures } from './finish-erasures.ts'

/** Erases a person. */
export const eraseUser = endpoint({
  id: 'eraseUser',
  method: 'POST',
  path: '/api/v5/entity/user/erase',
  group: 'Privacy',
  permission: 'admin',
  guard: { effect: 'irreversible', people: 'everyone', why: 'Administrators answer for everyone.' },
  summary: 'Erase a user',
  description:
    'Cannot be undone. Removes the user with its leads, tags, follow-ups and history, every copy in orders, batches of ' +
    'changes, the audit and stored responses, and all texts on its orders: remarks, comments and reasons. Orders and money ' +
    'stay without a name; each order gets a new version and time. Uploaded lead files that hold the person have to be ' +
    'uploaded again. Files then reject all contacts of the person, until `user/erasure/lift`. An operation that creates a ' +
    'user or a lead with the same contact creates a new user.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    reason: described(LongText, 'Why, without a word about the person: it is kept'),
    confirm_debt: Type.Optional(
      Type.Boolean({
        description: 'Erase a person who still owes money; default false: refused, with the sum',
      }),
    ),
  }),
  data: Type.Object({
    user_id: Id,
    records: Type.Integer({ description: 'Number of erased records, including the user' }),
    orders: Type.Integer({ description: 'Number of orders that stay' }),
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      user_id: '01945c240cb0712791b666a2da043357',
      reason: 'Asked for it on 14 November',
    },
    data: { user_id: '019672b93ea877f0b98a30ed5184dccd', records: 4, orders: 1 },
  },
  errors: ['userNotFound', 'stateForbids'],

  async handle(context, { user_id, reason, confirm_debt = false }) {
    return erasePerson(context, user_id, reason, { mayOwe: confirm_debt })
  },

  afterwards: (context) => finishErasures(context),
})
