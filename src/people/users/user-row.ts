import { contact } from '../../contract/contacts.ts'
import { exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { described, NullableDay, NullableString, namedObject, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { fullName } from './full-name.ts'
import { Touch } from './touch.ts'
import '../../access/staff/console-context.ts'

/** A user as lists show it. */
export const UserRow = namedObject('UserRow', {
  user_id: Type.String(),
  corp_id: Type.String(),
  name: Type.String({ description: 'Full name; composed of first and last name if only they are known' }),
  last_name: Type.String(),
  first_name: Type.String(),
  area_code: Type.String(),
  mobile: contact('mobile', Type.String()),
  email: contact('email', Type.String()),
  wechat_id: contact('id', NullableString),
  external_id: described(NullableString, 'ID of the person in another system'),
  birthday: NullableDay,
  city: NullableString,
  company_name: NullableString,
  job_title: NullableString,
  department: NullableString,
  pool: Type.String(),
  owner_ids: Type.Array(Type.String(), { description: 'In order of addition' }),
  holder_id: described(NullableString, 'The owner that has claimed the user'),
  order_statuses: Type.Array(Type.String(), { description: 'The statuses of the orders of the user' }),
  last_follow_up: described(Timestamp, 'Time of the last follow-up; "" if there is none'),
  is_verified: Type.Boolean(),
  first_touch: Touch,
  last_touch: Touch,
  ctime: Timestamp,
  mtime: Timestamp,
  version: Type.Integer(),
})
export type UserRow = Static<typeof UserRow>

export function named(user: UserRow): UserRow {
  return { ...user, name: fullName(user) }
}

export const exampleUser: UserRow = {
  user_id: exampleIds.user_id,
  corp_id: exampleIds.corp_id,
  name: '王小明',
  last_name: '',
  first_name: '',
  area_code: '86',
  mobile: '13800138000',
  email: 'xiaoming@example.com',
  wechat_id: 'xiaoming_w',
  external_id: null,
  birthday: null,
  city: '上海',
  company_name: 'Harbour Logistics',
  job_title: null,
  department: null,
  pool: 'alive',
  owner_ids: [exampleIds.owner_id],
  holder_id: exampleIds.owner_id,
  order_statuses: ['pending'],
  last_follow_up: '2026-11-15 10:00:00',
  is_verified: false,
  first_touch: null,
  last_touch: null,
  ctime: '2026-11-15 10:00:00',
  mtime: '2026-11-15 10:00:00',
  version: 2,
}

/** How a caller sees contacts. A search must not disclose more. */
export type ContactView = 'whole' | 'masked'

/** Staff see masked contacts in every response, also for their own people. Programs see whole contacts. */
export function contactViewOf({ role }: Pick<OrganizationContext, 'role'>): ContactView {
  return role === undefined ? 'whole' : 'masked'
}
