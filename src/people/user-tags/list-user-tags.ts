import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
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

/** Interface › User tag assignment (list row); number_value and string_value stand beside define_value. */
const UserTagRow = namedObject('UserTag', {
  entity_id: Type.String({ description: 'ID of the assigned tag' }),
  attribute: AttributeField,
  corp_id: Type.String({ description: 'Organization ID' }),
  ctime: Timestamp,
  define_value: described(NullableBoolean, 'The value under attribute define, else null'),
  executor_id: Type.String({ description: 'Account that assigned the tag last' }),
  is_deleted: Type.Boolean(),
  mtime: Timestamp,
  source: Type.String({ description: 'Where the assignment came from' }),
  tags_group_id: Type.String({ description: 'ID of the tag group' }),
  user_id: Type.String({ description: 'User ID' }),
  version: Type.Integer({ description: 'How often the tag was assigned' }),
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
    input: { corp_id: 'northgate', user_id: '0198c0de5a3b7c41a2f0d8e6b4937401' },
    data: {
      total: 1,
      rows: [
        {
          entity_id: '0198c0de5a3b7c41a2f0d8e6b4937501',
          attribute: 'define',
          corp_id: 'northgate',
          ctime: '2026-11-15 10:05:00',
          define_value: true,
          executor_id: '0198c0de5a3b7c41a2f0d8e6b4937215',
          is_deleted: false,
          mtime: '2026-11-15 10:05:00',
          source: 'open_api',
          tags_group_id: '0198c0de5a3b7c41a2f0d8e6b4937301',
          user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
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
