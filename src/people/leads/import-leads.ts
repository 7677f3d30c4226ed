import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, NullableString, namedObject, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { inputValidator } from '../../contract/validate.ts'
import { mobileNumberFaults } from '../users/mobile-number.ts'
import { initialPool } from '../users/reach.ts'
import { mobileFault } from '../users/read-mobile.ts'
import { type Person, profileDetails } from '../users/user-plan.ts'
import { anybodysLead, LeadFields, leadFields, ownersOf } from './lead-fields.ts'
import { type LeadOutcome, type NewLead, storeLead, storeLeads } from './store-leads.ts'

const RawLead = Type.Object({ corp_id: OrganizationId, ...leadFields })

/** Interface › Leads › import. */
export const importLead = endpoint({
  id: 'importLead',
  method: 'POST',
  path: '/api/v5/entity/leads/import',
  group: 'Leads',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Import a lead',
  description:
    'The user is the one with `user_id` or with this mobile number; a missing user is created. The details of the lead ' +
    'fill blanks of the user and overwrite nothing. Its owners are added. The same `entry_id` with the same content ' +
    'returns the same lead again; without `entry_id` every import creates a lead. An empty text or list in an optional ' +
    'member counts as omitted.',
  input: RawLead,
  oneOfSets: [['user_id'], ['area_code', 'mobile']],
  emptyIsAbsent: true,
  rules: userIsIdentified,
  data: Type.Object({ lead_id: described(Id, 'ID of the lead') }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      area_code: '86',
      mobile: '13800138000',
      name: 'Mei Lin',
      utm_source: 'open-day',
      is_corporate_training: false,
      form1_name: 'When would you like to start?',
      form1_value: 'Next spring',
      entry_id: 'open-day-2026-0042',
      course_code: 'EMBA',
      company_name: 'Harbour Logistics',
      owner_ids: [exampleIds.owner_id],
    },
    data: { lead_id: exampleIds.lead_id },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, input) {
    const lead = await storeLead(context.db, input.corp_id, newLeadOf(context, input))
    if (lead instanceof ApiError) throw lead
    return { lead_id: lead.lead_id }
  },
})

/** A received lead, ready to be stored. */
export function newLeadOf(context: OrganizationContext, input: LeadFields): NewLead {
  const { organization, account, now, newId, reach } = context
  const { app_id } = account
  return {
    lead_id: newId(),
    app_id,
    entry_id: input.entry_id ?? null,
    fields: input,
    person: personOf(input),
    newUser: { user_id: newId(), pool: initialPool(organization), now, app_id, reach },
  }
}

/**
 * Details fill blanks only: a user with a mobile number keeps it, and another number of the lead is stored on the lead
 * alone. So is a number without area code, which identifies no user.
 */
function personOf(input: LeadFields): Person {
  const named = ['user_id', 'area_code', 'mobile', ...profileDetails] as const
  return {
    ...Object.fromEntries(named.map((name) => [name, input[name] ?? null])),
    owner_ids: ownersOf(input),
  }
}

function userIsIdentified(input: Partial<LeadFields>, isSent: (name: string) => boolean): InputFault[] {
  if (isSent('user_id')) return mobileNumberFaults(input)
  const missing: InputFault[] = ['area_code', 'mobile']
    .filter((name) => !isSent(name))
    .map((param) => ({ param, reason: 'is required unless user_id is sent', missing: true }))
  if (missing.length < 2) return [...missing, ...mobileNumberFaults(input)]
  return [
    { param: 'user_id', reason: 'is required unless area_code and mobile are sent', missing: true },
    ...missing,
  ]
}

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
    'invalid lead does not affect the others. A number must be a mobile number of its country. Leads are processed one after the other, as if each had been sent alone, ' +
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

/** Validates a lead as leads/import does. Its number must also be a mobile number of its country. */
function readOne(corp_id: string, lead: LeadFields): LeadFields | ApiError {
  try {
    const read = readLead({ ...lead, corp_id }) as LeadFields
    const { area_code, mobile } = read
    const fault = area_code && mobile ? mobileFault({ area_code, mobile }) : undefined
    return fault === undefined ? read : invalid('mobile', fault)
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
