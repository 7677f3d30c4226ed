import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleLead, LeadRow, leadRowOf } from './lead-row.ts'
import { findLead } from './lead-store.ts'

/** A lead with its original fields. */
export const fetchLead = endpoint({
  id: 'fetchLead',
  method: 'GET',
  path: '/api/v5/entity/leads/fetch',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a lead',
  input: Type.Object({ corp_id: OrganizationId, lead_id: described(Id, 'ID of the lead') }),
  data: LeadRow,
  example: { input: { corp_id: exampleLead.corp_id, lead_id: exampleLead.lead_id }, data: exampleLead },
  errors: ['leadNotFound'],

  async handle({ db, organization }, { corp_id, lead_id }) {
    const lead = await findLead(db, organization, lead_id)
    if (!lead) throw new ApiError('leadNotFound')
    return leadRowOf(corp_id, lead)
  },
})
