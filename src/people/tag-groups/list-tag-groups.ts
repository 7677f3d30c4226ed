import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, Name, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleTagGroup, TagGroup } from './tag-group.ts'
import { listEveryTagGroup, listLiveTagGroups } from './tag-group-store.ts'

/** Interface › Tag groups › list. */
export const listTagGroups = endpoint({
  id: 'listTagGroups',
  method: 'GET',
  path: '/api/v5/entity/tags/group/list',
  group: 'Tag groups',
  since: 'Ver5.2023-11-22',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the tag groups of a category',
  description: 'Oldest first. `total` counts the whole category.',
  input: Type.Object({
    corp_id: OrganizationId,
    category: described(Name, 'Category'),
    start_index: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Number of groups to skip',
    }),
    step: Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of groups to return' }),
  }),
  data: Type.Object({ total: Type.Integer(), rows: Type.Array(TagGroup) }),
  example: {
    input: { corp_id: exampleIds.corp_id, category: 'events', start_index: 0, step: 20 },
    data: {
      total: 1,
      rows: [exampleTagGroup],
    },
  },

  async handle({ db, organization }, input) {
    return listLiveTagGroups(db, input, organization.time_zone)
  },
})

/** More groups than any school uses. */
const maxGroups = 1000

/** The tag groups of every category, for selection lists of the console. */
export const listAllTagGroups = endpoint({
  id: 'listAllTagGroups',
  method: 'GET',
  path: '/api/v5/console/tag-groups/list',
  group: 'Console',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the tag groups of every category',
  description: `By category, then by name; at most ${maxGroups}.`,
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(TagGroup) }),
  example: { input: { corp_id: exampleIds.corp_id }, data: { list: [exampleTagGroup] } },

  async handle({ db, organization: { corp_id, time_zone } }) {
    return { list: await listEveryTagGroup(db, corp_id, maxGroups, time_zone) }
  },
})
