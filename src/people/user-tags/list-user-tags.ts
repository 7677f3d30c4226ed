import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { exampleIds } from '../../contract/example-ids.ts'
import {
  described,
  Id,
  NullableBoolean,
  NullableNumber,
  NullableString,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../contract/fields.ts'
import { AttributeField } from '../tag-groups/attribute.ts'
import { listTagsOfUser } from './user-tag-store.ts'

/** Interface › User tag assignment (list row); with number_value and string_value in addition. */
const UserTagRow = namedObject('UserTag', {
  entity_id: Type.String({ description: 'ID of the assigned tag' }),
  attribute: AttributeField,
  corp_id: Type.String({ description: 'Organization ID' }),
  ctime: Timestamp,
  define_value: described(NullableBoolean, 'The value under attribute define, else null'),
  executor_id: Type.String({ description: 'Account that assigned the tag last' }),
  is_deleted: Type.Boolean(),
  mtime: Timestamp,
  source: Type.String({ description: 'Source of the assignment' }),
  tags_group_id: Type.String({ description: 'ID of the tag group' }),
  user_id: Type.String({ description: 'User ID' }),
  version: Type.Integer({ description: 'Number of assignments of the tag' }),
  number_value: described(NullableNumber, 'The value under attribute number, else null'),
  string_value: described(NullableString, 'The value under attribute string, else null'),
})

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
  data: Type.Object({ total: Type.Integer(), rows: Type.Array(UserTagRow) }),
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
