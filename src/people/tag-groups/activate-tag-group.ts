import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { setActive } from './tag-group-store.ts'

/** Interface › Tag groups › activate. */
export const activateTagGroup = endpoint({
  id: 'activateTagGroup',
  method: 'POST',
  path: '/api/v5/entity/tags/group/activate',
  group: 'Tag groups',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Activate a tag group',
  description: 'The group accepts assignments again. An active group stays active.',
  input: Type.Object({ entity_id: described(Id, 'ID of the tag group'), corp_id: OrganizationId }),
  data: described(Id, 'ID of the activated tag group'),
  example: {
    input: { entity_id: exampleIds.tags_group_id, corp_id: exampleIds.corp_id },
    data: exampleIds.tags_group_id,
  },
  errors: ['tagGroupNotFound'],

  async handle({ db, now }, { corp_id, entity_id }) {
    const isFound = await setActive(db, { corp_id, entity_id, active: true, now })
    if (!isFound) throw new ApiError('tagGroupNotFound')
    return entity_id
  },
})
