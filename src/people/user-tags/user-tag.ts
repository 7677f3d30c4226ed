import {
  described,
  NullableBoolean,
  NullableNumber,
  NullableString,
  namedObject,
  Timestamp,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { AttributeField } from '../tag-groups/tag-group.ts'

/** Interface › User tag assignment (list row); with number_value and string_value in addition. */
export const UserTag = namedObject('UserTag', {
  entity_id: Type.String({ description: 'ID of the assigned tag' }),
  attribute: AttributeField,
  corp_id: Type.String({ description: 'Organization ID' }),
  ctime: Timestamp,
  define_value: described(NullableBoolean, 'The value under attribute define, else null'),
  executor_id: Type.String({ description: 'Account that assigned the tag last' }),
  is_deleted: Type.Boolean(),
  mtime: Timestamp,
  source: Type.String({ description: 'Source of the assignment' }),
  tags_group_id: Type.String({ description: 'ID of the tag group' }),
  user_id: Type.String({ description: 'User ID' }),
  version: Type.Integer({ description: 'Number of assignments of the tag' }),
  number_value: described(NullableNumber, 'The value under attribute number, else null'),
  string_value: described(NullableString, 'The value under attribute string, else null'),
})
export type UserTag = Static<typeof UserTag>
