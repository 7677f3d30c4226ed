import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleTagGroup, TagGroup } from './tag-group.ts'
import { listEveryTagGroup } from './tag-group-store.ts'

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
