import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import { described, Id, LongText, Name, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { type Attribute, AttributeField } from './tag-group.ts'
import { insertTagGroup, setActive, updateLiveTagGroup } from './tag-group-store.ts'

const changesTagGroups = {
  method: 'POST',
  group: 'Tag groups',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
} as const

const fields = {
  name: described(Name, 'Tag name'),
  variable_name: described(Name, 'Tag variable name'),
  description: described(LongText, 'Description'),
  attribute: AttributeField,
  category: described(Name, 'Category'),
}

/** Interface › Tag groups › update. */
export const updateTagGroup = endpoint({
  id: 'updateTagGroup',
  ...changesTagGroups,
  path: '/api/v5/entity/tags/group/update',
  since: 'Ver5.2023-11-01',
  summary: 'Update a tag group',
  description:
    'Replaces every field that is sent. The attribute can only change while no user has a tag of the group.',
  input: Type.Object({
    entity_id: described(Id, 'ID of the tag group'),
    corp_id: OrganizationId,
    ...fields,
  }),
  data: described(Id, 'ID of the updated tag group'),
  example: {
    input: {
      entity_id: exampleIds.tags_group_id,
      corp_id: exampleIds.corp_id,
      name: 'High intent',
      variable_name: 'high_intent',
      description: 'Ready to apply this term',
      attribute: 'define',
      category: 'admissions',
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

/** Interface › Tag groups › create. */
export const createTagGroup = endpoint({
  id: 'createTagGroup',
  ...changesTagGroups,
  path: '/api/v5/entity/tags/group/create',
  since: 'Ver5.2023-11-22',
  summary: 'Create a tag group',
  description: 'The new group is active. `variable_name` is unique in the organization.',
  input: Type.Object({
    ...fields,
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

/** Both switches of a group: repeating one changes nothing. */
const switchesGroup = {
  ...changesTagGroups,
  since: 'Ver5.2023-11-01',
  input: Type.Object({ entity_id: described(Id, 'ID of the tag group'), corp_id: OrganizationId }),
  example: {
    input: { entity_id: exampleIds.tags_group_id, corp_id: exampleIds.corp_id },
    data: exampleIds.tags_group_id,
  },
} as const

/** Interface › Tag groups › activate. */
export const activateTagGroup = endpoint({
  ...switchesGroup,
  id: 'activateTagGroup',
  path: '/api/v5/entity/tags/group/activate',
  summary: 'Activate a tag group',
  description: 'The group accepts assignments again. An active group stays active.',
  data: described(Id, 'ID of the activated tag group'),
  errors: ['tagGroupNotFound'],

  handle: (context, { entity_id }) => switchGroup(context, entity_id, true),
})

/** Interface › Tag groups › deactivate. */
export const deactivateTagGroup = endpoint({
  ...switchesGroup,
  id: 'deactivateTagGroup',
  path: '/api/v5/entity/tags/group/deactivate',
  summary: 'Deactivate a tag group',
  description:
    'The group accepts no more assignments. Existing assignments stay. An inactive group stays inactive.',
  data: described(Id, 'ID of the deactivated tag group'),
  errors: ['tagGroupNotFound'],

  handle: (context, { entity_id }) => switchGroup(context, entity_id, false),
})

async function switchGroup(
  { db, now, organization: { corp_id } }: OrganizationContext,
  entity_id: string,
  active: boolean,
): Promise<string> {
  const isFound = await setActive(db, { corp_id, entity_id, active, now })
  if (!isFound) throw new ApiError('tagGroupNotFound')
  return entity_id
}
