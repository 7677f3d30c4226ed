import { type Static, Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { exampleIds } from '../../contract/example-ids.ts'
import { described, Name, namedObject, OrganizationId, Timestamp } from '../../contract/fields.ts'
import { AttributeField } from './attribute.ts'
import { listLiveTagGroups } from './tag-group-store.ts'

/** Interface › Tag group (list row). Members that the interface declares as String have the types of its responses. */
export const TagGroupRow = namedObject('TagGroup', {
  entity_id: Type.String({ description: 'ID of the tag group' }),
  attribute: AttributeField,
  calculation_rules: Type.Object({}, { additionalProperties: true, description: 'Calculation rules' }),
  category: Type.String(),
  corp_id: Type.String({ description: 'Organization ID' }),
  ctime: Timestamp,
  description: Type.String(),
  is_active: Type.Boolean(),
  is_auto: Type.Boolean(),
  is_deleted: Type.Boolean(),
  is_locked: Type.Boolean(),
  mtime: Timestamp,
  name: Type.String({ description: 'Tag group name' }),
  type: Type.String({ description: 'system, or custom for a group made through this interface' }),
  variable_name: Type.String(),
  version: Type.Integer(),
})

export const exampleTagGroup: Static<typeof TagGroupRow> = {
  entity_id: exampleIds.tags_group_id,
  attribute: 'define',
  calculation_rules: {},
  category: 'events',
  corp_id: exampleIds.corp_id,
  ctime: '2026-11-15 10:00:00',
  description: 'Was at the open day of the current term',
  is_active: true,
  is_auto: false,
  is_deleted: false,
  is_locked: false,
  mtime: '2026-11-15 10:00:00',
  name: 'Attended the open day',
  type: 'custom',
  variable_name: 'attended_open_day',
  version: 1,
}

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
  data: Type.Object({ total: Type.Integer(), rows: Type.Array(TagGroupRow) }),
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
