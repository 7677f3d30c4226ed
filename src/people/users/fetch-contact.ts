import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requireReachTo } from './reach.ts'
import { type Contacts, findContacts } from './user-store.ts'

const contactTypes = ['mobile', 'email', 'mobile_backup'] as const
const ContactType = oneOf(contactTypes, 'Kind of contact')

/** Interface › Users › contact. */
export const fetchContact = endpoint({
  id: 'fetchContact',
  method: 'GET',
  path: '/api/v5/entity/user/contact/fetch',
  group: 'Users',
  since: 'Ver5.2025-04-16',
  permission: 'read',
  guard: {
    effect: 'discloses',
    people: 'own',
    limit: 'reveals per hour',
    unconfirmed:
      'Counsellors call people all day. The hourly limit bounds the number, and the audit records each reveal.',
  },
  summary: 'Fetch one contact of a user',
  discloses: { action: 'revealed', record_type: 'users', recordId: ({ user_id }) => user_id },
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    corp_id: OrganizationId,
    contact_type: ContactType,
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    corp_id: OrganizationId,
    contact_type: ContactType,
    value: Type.Array(Type.String(), {
      description: 'Area code and number, or the e-mail address; empty if the user has no such contact',
    }),
  }),
  example: {
    input: { user_id: exampleIds.user_id, corp_id: exampleIds.corp_id, contact_type: 'mobile' },
    data: {
      user_id: exampleIds.user_id,
      corp_id: exampleIds.corp_id,
      contact_type: 'mobile',
      value: ['86', '13800138000'],
    },
  },
  errors: ['userNotFound'],

  async handle(context, { user_id, corp_id, contact_type }) {
    const { db, organization, reach } = context
    const own = await requireReachTo(db, reach, { corp_id, user_id })
    const contacts = own ?? (await findContacts(db, organization, user_id))
    if (!contacts) throw new ApiError('userNotFound')
    return { user_id, corp_id, contact_type, value: contactOf[contact_type](contacts) }
  },
})

const contactOf: Record<(typeof contactTypes)[number], (contacts: Contacts) => string[]> = {
  mobile: ({ area_code, mobile }) => numberOf(area_code, mobile),
  email: ({ email }) => (email ? [email] : []),
  mobile_backup: ({ backup_area_code, backup_mobile }) => numberOf(backup_area_code, backup_mobile),
}

function numberOf(areaCode: string | null, mobile: string | null): string[] {
  return mobile ? [areaCode ?? '', mobile] : []
}
