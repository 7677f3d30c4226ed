import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { mobileNumberFaults } from '../users/mobile-number.ts'
import { initialPool } from '../users/pool.ts'
import { type Person, profileDetails } from '../users/user-plan.ts'
import { anybodysLead, type LeadFields, leadFields, ownersOf } from './lead-fields.ts'
import { type NewLead, storeLead } from './store-leads.ts'

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
