import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { NullableString, namedObject, OrganizationId } from '../../contract/fields.ts'
import { inputValidator } from '../../contract/validate.ts'
import { importLead, newLeadOf } from './import-lead.ts'
import { anybodysLead, LeadFields } from './lead-fields.ts'
import { type LeadOutcome, storeLeads } from './store-leads.ts'

const mostLeads = 1000

const Outcome = namedObject('LeadOutcome', {
  index: Type.Integer({ description: 'Which of the leads, from 0' }),
  code: Type.Integer({ description: '0, or the code that leads/import would have answered' }),
  msg: Type.String({ description: 'success, or what is wrong with the lead' }),
  lead_id: { ...NullableString, description: 'The lead; of a 40901, the one that has the entry' },
  user_id: { ...NullableString, description: 'Its user' },
})

const readLead = inputValidator(importLead)

/** Many leads in one call. */
export const importLeads = endpoint({
  id: 'importLeads',
  method: 'POST',
  path: '/api/v5/entity/leads/import/batch',
  group: 'Leads',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Import up to a thousand leads',
  description:
    'Each lead is what `leads/import` takes, less `corp_id`, and has an outcome of its own, in the same order: a bad lead ' +
    'does not spoil the others. They are taken one after the other, as if each had come alone, and stored in one ' +
    'transaction. A lead whose `entry_id` has been stored before, by this call or another, answers the same lead again.',
  input: Type.Object({
    corp_id: OrganizationId,
    leads: Type.Array(LeadFields, { minItems: 1, maxItems: mostLeads, description: 'The leads' }),
  }),
  emptyIsAbsent: true,
  outcomePerItem: 'leads',
  data: Type.Object({ list: Type.Array(Outcome) }),
  example: {
    input: {
      corp_id: 'northgate',
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
          lead_id: '0198c0de5a3b7c41a2f0d8e6b4937601',
          user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
        },
        {
          index: 1,
          code: 0,
          msg: 'success',
          lead_id: '0198c0de5a3b7c41a2f0d8e6b4937602',
          user_id: '0198c0de5a3b7c41a2f0d8e6b4937402',
        },
      ],
    },
  },

  async handle(context, { corp_id, leads }) {
    const read = leads.map((lead) => readOne(corp_id, lead))
    const sound = read.filter((lead) => !(lead instanceof ApiError))
    const stored = await storeLeads(
      context.db,
      corp_id,
      sound.map((lead) => newLeadOf(context, lead)),
    )
    const outcomes = read.map((lead) => (lead instanceof ApiError ? lead : stored.shift()!))
    return { list: outcomes.map((outcome, index) => ({ index, ...shown(outcome) })) }
  },
})

/** As leads/import reads it. */
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
