import { exampleIds } from '../../contract/endpoint.ts'
import { namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'

/** The kind of value of the tags of a group: true or false, a number, or text. */
const attributes = ['define', 'number', 'string'] as const
export type Attribute = (typeof attributes)[number]

export const AttributeField = oneOf(attributes, 'Kind of value: define (true or false), number or string')

/** Interface › Tag group (list row). Members that the interface declares as String have the types of its responses. */
export const TagGroup = namedObject('TagGroup', {
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

export type TagGroup = Static<typeof TagGroup>

export const exampleTagGroup: TagGroup = {
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
