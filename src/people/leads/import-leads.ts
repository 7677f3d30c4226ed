import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { NullableString, namedObject, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { inputValidator } from '../../contract/validate.ts'
import { importLead, newLeadOf } from './import-lead.ts'
import { anybodysLead, LeadFields } from './lead-fields.ts'
import { type LeadOutcome, storeLeads } from './store-leads.ts'

const maxLeads = 1000

const Outcome = namedObject('LeadOutcome', {
  index: Type.Integer({ description: 'Index of the lead, from 0' }),
  code: Type.Integer({ description: '0, or the code that leads/import would return' }),
  msg: Type.String({ description: 'success, or the error of the lead' }),
  lead_id: { ...NullableString, description: 'ID of the lead; for 40901, of the lead with the entry' },
  user_id: { ...NullableString, description: 'User of the lead' },
})

const readLead = inputValidator(importLead)

/** Imports many leads in one call. */
export const importLeads = endpoint({
  id: 'importLeads',
  method: 'POST',
  path: '/api/v5/entity/leads/import/batch',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Import up to a thousand leads',
  description:
    'Each lead has the fields of `leads/import` without `corp_id`, and an outcome of its own, in the same order. An ' +
    'invalid lead does not affect the others. Leads are processed one after the other, as if each had been sent alone, ' +
    'and stored in one transaction. A lead with a stored `entry_id`, from this call or another, returns the same lead again.',
  input: Type.Object({
    corp_id: OrganizationId,
    leads: Type.Array(LeadFields, { minItems: 1, maxItems: maxLeads, description: 'The leads' }),
  }),
  emptyIsAbsent: true,
  outcomePerItem: 'leads',
  data: Type.Object({ list: Type.Array(Outcome) }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      leads: [
        { area_code: '86', mobile: '13800138000', name: 'Mei Lin', entry_id: 'fair-1', utm_source: 'fair' },
        { area_code: '86', mobile: '13800138001', name: '王小明', course_code: 'EMBA' },
      ],
    },
    data: {
      list: [
        {
          index: 0,
          code: 0,
          msg: 'success',
          lead_id: exampleIds.lead_id,
          user_id: exampleIds.user_id,
        },
        {
          index: 1,
          code: 0,
          msg: 'success',
          lead_id: exampleIds.other_lead_id,
          user_id: exampleIds.other_user_id,
        },
      ],
    },
  },

  async handle(context, { corp_id, leads }) {
    const read = leads.map((lead) => readOne(corp_id, lead))
    const valid = read.filter((lead) => !(lead instanceof ApiError))
    const stored = await storeLeads(
      context.db,
      corp_id,
      valid.map((lead) => newLeadOf(context, lead)),
    )
    const outcomes = stored.values()
    const list = read.map((lead, index) => {
      const outcome = lead instanceof ApiError ? lead : outcomes.next().value
      if (!outcome) throw new Error('A lead has no outcome')
      return { index, ...shown(outcome) }
    })
    return { list }
  },
})

/** Validates a lead as leads/import does. */
function readOne(corp_id: string, lead: LeadFields): LeadFields | ApiError {
  try {
    return readLead({ ...lead, corp_id }) as LeadFields
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function shown(outcome: LeadOutcome) {
  if (!(outcome instanceof ApiError)) {
    const { lead_id, user_id } = outcome
    return { code: 0, msg: 'success', lead_id, user_id }
  }
  const { code, message, details } = outcome
  return {
    code,
    msg: message,
    lead_id: (details.extra?.lead_id as string | undefined) ?? null,
    user_id: null,
  }
}
