import { type Static, Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { ApiError, type InputFault } from '../contract/errors.ts'
import { described, Id, OrganizationId } from '../contract/fields.ts'
import { formats } from '../contract/formats.ts'
import { longest } from '../contract/lengths.ts'
import { mobileNumberFaults } from '../users/mobile-number.ts'
import { initialPool } from '../users/pool.ts'
import { type Person, profileDetails } from '../users/user-plan.ts'
import { storeLead } from './store-leads.ts'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ format: 'text', maxLength, description }))
const short = (description: string) => text(longest.shortText, description)
const long = (description: string) => text(longest.longText, description)
const id = (description: string) => text(longest.id, description)

/** Spreadsheets send their empty cells along, so every optional text may be empty, which counts as left out. */
const RawLead = Type.Object({
  corp_id: OrganizationId,
  user_id: id('User ID; required unless area_code and mobile are sent'),
  area_code: short('Country calling code, digits without a leading plus; required unless user_id is sent'),
  mobile: short('Mobile number, digits only; required unless user_id is sent'),
  name: text(longest.name, 'User name'),
  utm_source: short('Source'),
  utm_medium: short('Medium'),
  utm_campaign: short('Campaign by its utm tag'),
  utm_channel: short('Channel'),
  utm_keyword: short('Keyword'),
  utm_term: short('Term'),
  campaign: short('Campaign'),
  is_corporate_training: Type.Optional(
    Type.Boolean({ description: 'Whether it is a lead for corporate training' }),
  ),
  form1_name: long('First question'),
  form2_name: long('Second question'),
  form3_name: long('Third question'),
  form4_name: long('Fourth question'),
  form1_value: long('First answer'),
  form2_value: long('Second answer'),
  form3_value: long('Third answer'),
  form4_value: long('Fourth answer'),
  entry_id: short('Entry ID, unique in the organization'),
  page_id: short('Page ID'),
  course_code: short('Course code'),
  bd_vid: short('Business development VID'),
  company_name: short('Company of the user'),
  work_exp: short('Years of work experience of the user'),
  job_title: short('Job title of the user'),
  department: short('Department of the user'),
  city: short('City of the user'),
  owner_ids: Type.Optional(
    Type.Array(Id, { maxItems: longest.listItems, description: 'Owners to add to the user' }),
  ),
  oid: id('One owner, as older payloads carry it'),
})
type RawLead = Static<typeof RawLead>

/** Interface › Leads › import. */
export const importLead = endpoint({
  id: 'importLead',
  method: 'POST',
  path: '/api/v5/entity/leads/import',
  group: 'Leads',
  since: 'Ver5.2023-11-01',
  permission: 'write',
  summary: 'Import a lead',
  description:
    'The user is the one that `user_id` names, or the one with this mobile number, who is created where the ' +
    'organization has none. What the lead tells of the user fills blanks and overwrites nothing; owners are added. ' +
    'The same `entry_id` with the same content answers the same lead again; without `entry_id` every import is a ' +
    'lead of its own.',
  input: RawLead,
  rules: userIsNamed,
  data: Type.Object({ lead_id: described(Id, 'ID of the lead') }),
  example: {
    input: {
      corp_id: 'northgate',
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
      owner_ids: ['adviser-7'],
    },
    data: { lead_id: '0198c0de5a3b7c41a2f0d8e6b4937601' },
  },
  errors: ['userNotFound', 'taken'],

  async handle({ db, organization, account, now, newId }, input) {
    const lead = await storeLead(db, input.corp_id, {
      lead_id: newId(),
      app_id: account.app_id,
      entry_id: given(input.entry_id),
      fields: input,
      person: personOf(input),
      newUser: { user_id: newId(), pool: initialPool(organization), now },
    })
    if (lead instanceof ApiError) throw lead
    return { lead_id: lead.lead_id }
  },
})

function given(text: string | undefined): string | null {
  return text?.trim() ? text : null
}

/**
 * A user who has a mobile number keeps it, as details fill blanks only; another one that the lead brings stands on
 * the lead. So does half a number, which names nobody.
 */
function personOf(input: RawLead): Person {
  const named = ['user_id', 'area_code', 'mobile', ...profileDetails] as const
  return {
    ...Object.fromEntries(named.map((name) => [name, given(input[name])])),
    owner_ids: ownersOf(input),
  }
}

function ownersOf({ owner_ids = [], oid }: RawLead): string[] {
  const single = given(oid)
  return [...new Set(single ? [...owner_ids, single] : owner_ids)]
}

function userIsNamed(input: Partial<RawLead>, isSent: (name: string) => boolean): InputFault[] {
  return [...missingUser(input, isSent), ...malformedNumber(input)]
}

/** What is malformed was sent all the same, and is named elsewhere. */
function missingUser(input: Partial<RawLead>, isSent: (name: string) => boolean): InputFault[] {
  const isGiven = (name: 'user_id' | 'area_code' | 'mobile') =>
    name in input ? given(input[name]) !== null : isSent(name)
  if (isGiven('user_id')) return []
  const lacking: InputFault[] = (['area_code', 'mobile'] as const)
    .filter((name) => !isGiven(name))
    .map((param) => ({ param, reason: 'is required unless user_id is sent', missing: true }))
  if (lacking.length < 2) return lacking
  return [
    { param: 'user_id', reason: 'is required unless area_code and mobile are sent', missing: true },
    ...lacking,
  ]
}

/** The formats are checked here, since a field's own format could not let an empty cell pass. */
function malformedNumber(input: Partial<RawLead>): InputFault[] {
  const [area_code, mobile] = [given(input.area_code), given(input.mobile)]
  const faults: InputFault[] = []
  const [isAreaCode, areaCodeReason] = formats['area-code']
  const [isMobile, mobileReason] = formats.mobile
  if (area_code && !isAreaCode(area_code)) faults.push({ param: 'area_code', reason: areaCodeReason })
  if (mobile && !isMobile(mobile)) faults.push({ param: 'mobile', reason: mobileReason })
  if (faults.length > 0 || !area_code || !mobile) return faults
  return mobileNumberFaults({ area_code, mobile })
}
