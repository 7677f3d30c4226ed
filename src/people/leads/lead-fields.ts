import { AreaCode, described, Id, Mobile, optionalLine, optionalText } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'

const line = (description: string) => optionalLine(longest.shortText, description)
const text = (description: string) => optionalText(longest.longText, description)

/** Why a counsellor may import a lead of any person. */
export const anybodysLead = 'Any person can become a lead. A lead fills blanks and overwrites nothing.'

/** The fields of a lead, besides its organization. */
export const leadFields = {
  user_id: Type.Optional(described(Id, 'User ID; required unless area_code and mobile are sent')),
  area_code: Type.Optional(
    described(
      AreaCode,
      'Country calling code, digits without a leading plus; required unless user_id is sent',
    ),
  ),
  mobile: Type.Optional(described(Mobile, 'Mobile number, digits only; required unless user_id is sent')),
  name: optionalLine(longest.name, 'User name'),
  utm_source: line('Source'),
  utm_medium: line('Medium'),
  utm_campaign: line('Campaign by its utm tag'),
  utm_channel: line('Channel'),
  utm_keyword: line('Keyword'),
  utm_term: line('Term'),
  campaign: line('Campaign'),
  is_corporate_training: Type.Optional(
    Type.Boolean({ description: 'Whether it is a lead for corporate training' }),
  ),
  form1_name: text('First question'),
  form2_name: text('Second question'),
  form3_name: text('Third question'),
  form4_name: text('Fourth question'),
  form1_value: text('First answer'),
  form2_value: text('Second answer'),
  form3_value: text('Third answer'),
  form4_value: text('Fourth answer'),
  entry_id: line('Entry ID, unique in the organization'),
  page_id: line('Page ID'),
  course_code: line('Course code'),
  bd_vid: line('Business development VID'),
  company_name: line('Company of the user'),
  work_exp: line('Years of work experience of the user'),
  job_title: line('Job title of the user'),
  department: line('Department of the user'),
  city: line('City of the user'),
  owner_ids: Type.Optional(
    Type.Array(Id, { maxItems: longest.listItems, description: 'Owners to add to the user' }),
  ),
  oid: Type.Optional(described(Id, 'One owner, as older clients send it')),
}

export const LeadFields = Type.Object(leadFields)
export type LeadFields = Static<typeof LeadFields>

/** The fields as stored: those of an imported file name the import. */
export type StoredLeadFields = LeadFields & { import_id?: string | undefined }

export function ownersOf({ owner_ids = [], oid }: Pick<LeadFields, 'owner_ids' | 'oid'>): string[] {
  return [...new Set(oid === undefined ? owner_ids : [...owner_ids, oid])]
}
