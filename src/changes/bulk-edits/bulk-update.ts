import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  LongText,
  Name,
  NullableInteger,
  namedObject,
  OrganizationId,
  oneOf,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import { filterIsSound, userFilter } from '../../people/users/user-filter.ts'
import { exampleBatchId } from '../undo/change-batch-fields.ts'
import { findBatch } from '../undo/change-batch-store.ts'
import { findUnfinished } from './bulk-edit-store.ts'
import { findMatching, finishEdit, startEdit } from './edit-in-background.ts'
import { editUsers } from './edit-users.ts'

/** Users that one transaction changes. An edit of more users runs in the background. */
const mostUsers = 1000
/** Users that the preview of a larger edit shows. */
const sampleSize = 100

const { corp_id: _, page: __, page_size: ___, sort: ____, ...filters } = userFilter

const owners = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: longest.listItems, description }))

const UserEdit = Type.Object({
  corp_id: OrganizationId,
  user_ids: Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: mostUsers, description: 'The users to change' }),
  ),
  filter: Type.Optional(
    Type.Object(filters, {
      description:
        'Instead of user_ids: all users that match every filter, as in user/list; {} means all users',
    }),
  ),
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
  name: Type.String({ description: 'Full name; "" if unknown' }),
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
    'Send `user_ids` or `filter`. Up to 1,000 users are changed in one transaction, or none of them. If a filter matches ' +
    'more, the batch continues in the background: `is_complete` is false, changes/fetch shows the progress, and `changed` ' +
    'and `unchanged` are null. A counsellor changes own users only; with a filter, only they match. With `dry_run` the call ' +
    'only reports the changes; of more than 1,000 users it lists the first 100. changes/undo undoes the batch, also while it ' +
    'runs. An unknown ID is skipped and named in `missing_ids`; the other users are changed. The ID of a merged user means ' +
    'its survivor, who is changed and listed once. Removing the owner who holds a user, or moving a user to another pool, ' +
    'ends the claim.',
  input: UserEdit,
  oneOfSets: [['user_ids'], ['filter']],
  setsExclude: true,
  rules: editIsSound,
  data: Type.Object({
    batch_id: Type.String({ description: 'The batch to undo with changes/undo; "" if nothing was changed' }),
    is_complete: Type.Boolean({ description: 'false: the batch continues in the background' }),
    matched: Type.Integer({ description: 'Number of users that the call names or its filter matches' }),
    changed: NullableInteger,
    unchanged: NullableInteger,
    missing: Type.Integer({ description: 'Number of unknown IDs' }),
    missing_ids: Type.Array(Type.String(), { description: 'The unknown IDs, which are skipped' }),
    list: Type.Array(EditedUser, {
      description: 'The users; of more than 1,000 the first 100, in a dry run',
    }),
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      user_ids: ['019301cb5c887ee99d3b9c0db2ee0e23'],
      pool: 'alive',
      add_owner_ids: ['owner-garcia'],
    },
    data: {
      batch_id: exampleBatchId,
      is_complete: true,
      matched: 1,
      changed: 1,
      unchanged: 0,
      missing: 0,
      missing_ids: [],
      list: [
        {
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          name: '王小明',
          outcome: 'changed',
          pool: 'alive',
          owner_ids: ['adviser-2', 'owner-garcia'],
          tags: 0,
        },
      ],
    },
  },
  errors: ['tagGroupNotFound', 'stateForbids'],

  async handle(context, { corp_id: _, user_ids, filter = {}, dry_run, ...edit }) {
    const { pools } = context.organization
    if (edit.pool !== undefined && !pools.includes(edit.pool))
      throw invalid('pool', `must be one of ${pools.join(', ')}`)
    const named = user_ids
      ? { total: user_ids.length, userIds: user_ids }
      : await findMatching(context, filter, mostUsers)
    const { total } = named
    const isLarge = total > mostUsers
    const userIds = isLarge ? named.userIds.slice(0, sampleSize) : named.userIds
    if (!isLarge || dry_run) {
      const edited = await editUsers(context, { ...edit, user_ids: userIds, dry_run })
      const counts = isLarge && { changed: null, unchanged: null }
      return { ...edited, ...counts, is_complete: true, matched: total }
    }
    // A refused edit is refused before it starts.
    await editUsers(context, { ...edit, user_ids: userIds, dry_run: true })
    const batch_id = await startEdit(context, edit, filter)
    const { remaining } = (await findBatch(context.db, context.organization.corp_id, batch_id)) ?? {}
    return {
      batch_id,
      is_complete: false,
      matched: remaining ?? total,
      changed: null,
      unchanged: null,
      missing: 0,
      missing_ids: [],
      list: [],
    }
  },

  async afterwards(context, { filter }) {
    if (filter) await finishOwnEdits(context)
  },
})

/** Continues the edits that the caller has started. Another server may do the same: the batch is locked for each part. */
async function finishOwnEdits(context: OrganizationContext): Promise<void> {
  const own = await findUnfinished(context.db, context.organization.corp_id, context.account.app_id)
  for (const batch_id of own) await finishEdit(context, batch_id)
}

function editIsSound(
  { add_owner_ids = [], remove_owner_ids = [], tags = [], filter }: Partial<UserEdit>,
  isSent: (name: string) => boolean,
): InputFault[] {
  const both = add_owner_ids.find((owner) => remove_owner_ids.includes(owner))
  const groups = tags.map(({ tags_group_id }) => tags_group_id)
  return [
    ...namesUsersOnce(isSent),
    ...(filter ? filterFaults(filter) : []),
    ...(both === undefined
      ? []
      : [{ param: 'remove_owner_ids', reason: `must not name ${both}, who is also in add_owner_ids` }]),
    ...(new Set(groups).size < groups.length ? [{ param: 'tags', reason: 'must name each group once' }] : []),
  ]
}

function namesUsersOnce(isSent: (name: string) => boolean): InputFault[] {
  if (isSent('user_ids') && isSent('filter'))
    return [{ param: 'filter', reason: 'must not be sent with user_ids: send one or the other' }]
  if (isSent('user_ids') || isSent('filter')) return []
  return ['user_ids', 'filter'].map((param) => ({
    param,
    reason: 'is required unless the other one is sent',
    missing: true,
  }))
}

function filterFaults(filter: NonNullable<UserEdit['filter']>): InputFault[] {
  const faults = filterIsSound(filter, (name) => Object.hasOwn(filter, name))
  return faults.map(({ param, ...fault }) => ({ ...fault, param: `filter.${param}` }))
}
