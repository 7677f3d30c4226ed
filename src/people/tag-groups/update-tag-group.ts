import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import { described, Id, LongText, Name, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { type Attribute, AttributeField } from './attribute.ts'
import { updateLiveTagGroup } from './tag-group-store.ts'

/** Interface › Tag groups › update. */
export const updateTagGroup = endpoint({
  id: 'updateTagGroup',
  method: 'POST',
  path: '/api/v5/entity/tags/group/update',
  group: 'Tag groups',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Update a tag group',
  description:
    'Replaces every field that is sent. The attribute can only change while no user has a tag of the group.',
  input: Type.Object({
    entity_id: described(Id, 'ID of the tag group'),
    corp_id: OrganizationId,
    name: described(Name, 'Tag name'),
    variable_name: described(Name, 'Tag variable name'),
    description: described(LongText, 'Description'),
    attribute: AttributeField,
    category: described(Name, 'Category'),
  }),
  data: described(Id, 'ID of the updated tag group'),
  example: {
    input: {
      entity_id: exampleIds.tags_group_id,
      corp_id: exampleIds.corp_id,
      name: 'Attended an open day',
      variable_name: 'attended_open_day',
      description: 'Was at an open day of any term',
      attribute: 'define',
      category: 'events',
    },
    data: exampleIds.tags_group_id,
  },
  errors: ['tagGroupNotFound', 'taken', 'stateForbids'],

  async handle({ db, now }, input) {
    const update = await updateLiveTagGroup(db, { ...input, now })
    switch (update.outcome) {
      case 'updated':
        return input.entity_id
      case 'missing':
        throw new ApiError('tagGroupNotFound')
      case 'variable name taken':
        throw taken('variable_name', 'belongs to another tag group')
      case 'attribute in use':
        throw attributeInUse(update.attribute)
    }
  },
})

function attributeInUse(attribute: Attribute): ApiError {
  return new ApiError('stateForbids', {
    msg: `Users have tags of this group, so its attribute must stay ${attribute}.`,
    errors: [{ param: 'attribute', reason: `must stay ${attribute} while users have tags of the group` }],
    allowed: [`update with attribute ${attribute}`, 'create another tag group'],
  })
}
