import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { anyPayer, exampleCorp, examplePayer, type PayerRow, payerOperation } from './payer-row.ts'
import { findPayer } from './payer-store.ts'

const ContactType = oneOf(['mobile', 'email'], 'Kind of contact')

/** Reveals a contact of a payer. Lists mask it for staff. */
export const fetchPayerContact = endpoint({
  ...payerOperation,
  id: 'fetchPayerContact',
  method: 'GET',
  path: '/api/v5/entity/payer/contact/fetch',
  guard: {
    effect: 'discloses',
    ...anyPayer,
    limit: 'reveals per hour',
    unconfirmed:
      'The finance office calls payers all day. The hourly limit bounds the number, and the audit records each reveal.',
  },
  discloses: { action: 'revealed', record_type: 'payers', recordId: ({ payer_id }) => payer_id },
  summary: 'Fetch one contact of a payer',
  input: Type.Object({ corp_id: OrganizationId, payer_id: Id, contact_type: ContactType }),
  data: Type.Object({
    payer_id: Id,
    contact_type: ContactType,
    value: Type.Array(Type.String(), {
      description: 'Area code and number, or the e-mail address; empty if the payer has no such contact',
    }),
  }),
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id, contact_type: 'mobile' },
    data: { payer_id: examplePayer.payer_id, contact_type: 'mobile', value: ['86', '13800138000'] },
  },
  errors: ['payerNotFound'],

  async handle({ db, organization }, { corp_id, payer_id, contact_type }) {
    const payer = await findPayer<PayerRow>(db, corp_id, payer_id, organization.time_zone)
    if (!payer) throw new ApiError('payerNotFound')
    const { area_code, mobile, email } = payer
    const value = { mobile: mobile && [area_code, mobile], email: email && [email] }[contact_type] || []
    return { payer_id, contact_type, value }
  },
})
