import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { UserTag } from './user-tag.ts'
import { listTagsOfUser } from './user-tag-store.ts'

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
