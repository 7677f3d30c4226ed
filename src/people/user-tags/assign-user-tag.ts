import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { described, Id, LongText, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requireReachTo } from '../users/reach.ts'
import { readTagValue, requirements } from './tag-value.ts'
import { UserTag } from './user-tag.ts'
import { type Assignment, assignTag, listTagsOfUser } from './user-tag-store.ts'

/** Interface › Tag groups › assign. */
export const assignUserTag = endpoint({
  id: 'assignUserTag',
  method: 'POST',
  path: '/api/v5/entity/user/tags/assign',
  group: 'User tags',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Assign a tag to a user',
  description:
    'A user has one tag per group: assigning again replaces its value and keeps its ID. The value must fit the ' +
    'attribute of the group: true or false for define, a decimal number for number, any text for string.',
  input: Type.Object({
    corp_id: OrganizationId,
    tags_group_id: described(Id, 'ID of the tag group'),
    user_id: described(Id, 'User ID'),
    value: described(LongText, 'Value of the tag'),
  }),
  data: described(Id, 'ID of the assigned tag'),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      tags_group_id: exampleIds.tags_group_id,
      user_id: exampleIds.user_id,
      value: 'true',
    },
    data: exampleIds.tag_id,
  },
  errors: ['tagGroupNotFound', 'userNotFound', 'stateForbids'],

  async handle(context, { corp_id, tags_group_id, user_id, value }) {
    const { db, account, now, newId, reach } = context
    await requireReachTo(db, reach, { corp_id, user_id })
    const meaning = readTagValue(value)
    const assignment = await assignTag(db, corp_id, {
      entity_id: newId(),
      user_id,
      tags_group_id,
      define_value: meaning.define,
      number_value: meaning.number,
      string_value: meaning.string,
      executor_id: account.app_id,
      ctime: now,
    })
    if (assignment.entity_id === null) throw refusalOf(assignment)
    return assignment.entity_id
  },
})

function refusalOf({ attribute, is_active, user_exists }: Assignment): ApiError {
  if (attribute === null) return new ApiError('tagGroupNotFound')
  if (!user_exists) return new ApiError('userNotFound')
  if (is_active) return invalid('value', requirements[attribute])
  return new ApiError('stateForbids', {
    msg: 'The tag group is inactive and takes no assignments; activate it first.',
    allowed: ['activate the tag group'],
  })
}

/** Interface › Tag groups › list of a user's tags. */
export const listUserTags = endpoint({
  id: 'listUserTags',
  method: 'GET',
  path: '/api/v5/entity/user/tags/list',
  group: 'User tags',
  since: 'Ver5.2023-11-01',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the tags of a user',
  description: 'All of them, oldest first.',
  input: Type.Object({ corp_id: OrganizationId, user_id: described(Id, 'User ID') }),
  data: Type.Object({ total: Type.Integer(), rows: Type.Array(UserTag) }),
  example: {
    input: { corp_id: exampleIds.corp_id, user_id: exampleIds.user_id },
    data: {
      total: 1,
      rows: [
        {
          entity_id: exampleIds.tag_id,
          attribute: 'define',
          corp_id: exampleIds.corp_id,
          ctime: '2026-11-15 10:05:00',
          define_value: true,
          executor_id: exampleIds.app_id,
          is_deleted: false,
          mtime: '2026-11-15 10:05:00',
          source: 'open_api',
          tags_group_id: exampleIds.tags_group_id,
          user_id: exampleIds.user_id,
          version: 1,
          number_value: null,
          string_value: null,
        },
      ],
    },
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { user_id }) {
    const user = await listTagsOfUser(db, organization, user_id)
    if (!user) throw new ApiError('userNotFound')
    return { total: user.tags.length, rows: user.tags }
  },
})
