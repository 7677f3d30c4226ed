import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { taken } from '../../contract/errors.ts'
import { described, Id, LongText, Name, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { AttributeField } from './attribute.ts'
import { insertTagGroup } from './tag-group-store.ts'

/** Interface › Tag groups › create. */
export const createTagGroup = endpoint({
  id: 'createTagGroup',
  method: 'POST',
  path: '/api/v5/entity/tags/group/create',
  group: 'Tag groups',
  since: 'Ver5.2023-11-22',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Create a tag group',
  description: 'The new group is active. `variable_name` is unique in the organization.',
  input: Type.Object({
    name: described(Name, 'Tag name'),
    variable_name: described(Name, 'Tag variable name'),
    description: described(LongText, 'Description'),
    attribute: AttributeField,
    category: described(Name, 'Category'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({
    tags_group_id: described(Id, 'ID of the new tag group'),
    corp_id: OrganizationId,
    name: described(Name, 'Tag name'),
  }),
  example: {
    input: {
      name: 'Attended the open day',
      variable_name: 'attended_open_day',
      description: 'Was at the open day of the current term',
      attribute: 'define',
      category: 'events',
      corp_id: exampleIds.corp_id,
    },
    data: {
      tags_group_id: exampleIds.tags_group_id,
      corp_id: exampleIds.corp_id,
      name: 'Attended the open day',
    },
  },
  errors: ['taken'],

  async handle({ db, now, newId }, input) {
    const entity_id = newId()
    const isInserted = await insertTagGroup(db, { ...input, entity_id, now })
    if (!isInserted) throw taken('variable_name', 'belongs to another tag group')
    return { tags_group_id: entity_id, corp_id: input.corp_id, name: input.name }
  },
})
