import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { setActive } from './tag-group-store.ts'

/** Interface › Tag groups › deactivate. */
export const deactivateTagGroup = endpoint({
  id: 'deactivateTagGroup',
  method: 'POST',
  path: '/api/v5/entity/tags/group/deactivate',
  group: 'Tag groups',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Deactivate a tag group',
  description:
    'The group takes no further assignments; those it has stay. A group that is inactive stays so.',
  input: Type.Object({ entity_id: described(Id, 'ID of the tag group'), corp_id: OrganizationId }),
  data: described(Id, 'ID of the deactivated tag group'),
  example: {
    input: { entity_id: '0198c0de5a3b7c41a2f0d8e6b4937301', corp_id: 'northgate' },
    data: '0198c0de5a3b7c41a2f0d8e6b4937301',
  },
  errors: ['tagGroupNotFound'],

  async handle({ db, now }, { corp_id, entity_id }) {
    const isFound = await setActive(db, { corp_id, entity_id, active: false, now })
    if (!isFound) throw new ApiError('tagGroupNotFound')
    return entity_id
  },
})
