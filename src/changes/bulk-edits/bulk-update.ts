import { type Static, Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, LongText, Name, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { editUsers } from './edit-users.ts'

const mostUsers = 1000

const owners = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: longest.listItems, description }))

const UserEdit = Type.Object({
  corp_id: OrganizationId,
  user_ids: Type.Array(Id, { minItems: 1, maxItems: mostUsers, description: 'Whom to edit' }),
  pool: Type.Optional(described(Name, 'The pool to move them to')),
  add_owner_ids: owners('Owners to add'),
  remove_owner_ids: owners('Owners to remove'),
  tags: Type.Optional(
    Type.Array(Type.Object({ tags_group_id: Id, value: LongText }), {
      maxItems: longest.listItems,
      description: 'Tags to assign, one per group',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only say what would change; default false' })),
})
type UserEdit = Static<typeof UserEdit>

const EditedUser = namedObject('EditedUser', {
  user_id: Type.String(),
  outcome: oneOf(['changed', 'unchanged']),
  pool: Type.String({ description: 'As it is afterwards' }),
  owner_ids: Type.Array(Type.String()),
  tags: Type.Integer({ description: 'How many of the tags are new or have another value' }),
})

/** Edits the owners, the pool or the tags of many users at once. */
export const bulkUpdateUsers = endpoint({
  id: 'bulkUpdateUsers',
  method: 'POST',
  path: '/api/v5/entity/user/bulk/update',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Edit owners, pool or tags of many users',
  description:
    'One transaction: all of it happens or nothing. With `dry_run` it says what would become of each user and changes ' +
    'nothing. changes/undo takes the batch back. Whoever loses the owner that held a user, or moves a user to another ' +
    'pool, ends the claim on it. The id of a user who was merged stands for the survivor, who is edited and listed once.',
  input: UserEdit,
  rules: editIsSound,
  data: Type.Object({
    batch_id: Type.String({ description: 'What changes/undo takes back; "" where nothing was changed' }),
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
      : [{ param: 'remove_owner_ids', reason: `must not name ${both}, who is to be added` }]),
    ...(new Set(groups).size < groups.length ? [{ param: 'tags', reason: 'must name each group once' }] : []),
  ]
}
