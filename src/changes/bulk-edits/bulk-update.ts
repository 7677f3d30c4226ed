import { endpoint } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, LongText, Name, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import { editUsers } from './edit-users.ts'

const mostUsers = 1000

const owners = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: longest.listItems, description }))

const UserEdit = Type.Object({
  corp_id: OrganizationId,
  user_ids: Type.Array(Id, { minItems: 1, maxItems: mostUsers, description: 'The users to change' }),
  pool: Type.Optional(described(Name, 'The pool to move them to')),
  add_owner_ids: owners('Owners to add'),
  remove_owner_ids: owners('Owners to remove'),
  tags: Type.Optional(
    Type.Array(Type.Object({ tags_group_id: Id, value: LongText }), {
      maxItems: longest.listItems,
      description: 'Tags to assign, one per group',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only report the changes; default false' })),
})
type UserEdit = Static<typeof UserEdit>

const EditedUser = namedObject('EditedUser', {
  user_id: Type.String(),
  outcome: oneOf(['changed', 'unchanged']),
  pool: Type.String({ description: 'After the change' }),
  owner_ids: Type.Array(Type.String()),
  tags: Type.Integer({ description: 'Number of tags that are new or have another value' }),
})

/** Changes owners, pool or tags of many users. */
export const bulkUpdateUsers = endpoint({
  id: 'bulkUpdateUsers',
  method: 'POST',
  path: '/api/v5/entity/user/bulk/update',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Change owners, pool or tags of many users',
  description:
    'Changes all users in one transaction, or none. With `dry_run` it only reports the changes. changes/undo undoes the ' +
    'batch. Removing the owner who holds a user, or moving a user to another pool, ends the claim. The ID of a merged user ' +
    'means its survivor, who is changed and listed once.',
  input: UserEdit,
  rules: editIsSound,
  data: Type.Object({
    batch_id: Type.String({ description: 'The batch to undo with changes/undo; "" if nothing was changed' }),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    missing: Type.Integer(),
    list: Type.Array(EditedUser),
  }),
  example: {
    input: {
      corp_id: 'northgate',
      user_ids: ['0198c0de5a3b7c41a2f0d8e6b4937401'],
      pool: 'alive',
      add_owner_ids: ['adviser-7'],
      dry_run: true,
    },
    data: {
      batch_id: '',
      changed: 1,
      unchanged: 0,
      missing: 0,
      list: [
        {
          user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
          outcome: 'changed',
          pool: 'alive',
          owner_ids: ['adviser-2', 'adviser-7'],
          tags: 0,
        },
      ],
    },
  },
  errors: ['tagGroupNotFound', 'stateForbids'],

  async handle(context, edit) {
    const { pools } = context.organization
    if (edit.pool !== undefined && !pools.includes(edit.pool))
      throw invalid('pool', `must be one of ${pools.join(', ')}`)
    return editUsers(context, edit)
  },
})

function editIsSound({
  add_owner_ids = [],
  remove_owner_ids = [],
  tags = [],
}: Partial<UserEdit>): InputFault[] {
  const both = add_owner_ids.find((owner) => remove_owner_ids.includes(owner))
  const groups = tags.map(({ tags_group_id }) => tags_group_id)
  return [
    ...(both === undefined
      ? []
      : [{ param: 'remove_owner_ids', reason: `must not name ${both}, who is also in add_owner_ids` }]),
    ...(new Set(groups).size < groups.length ? [{ param: 'tags', reason: 'must name each group once' }] : []),
  ]
}
