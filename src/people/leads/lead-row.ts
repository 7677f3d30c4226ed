import { contact } from '../../contract/contacts.ts'
import { exampleIds } from '../../contract/endpoint.ts'
import { described, NullableBoolean, NullableString, namedObject, Timestamp } from '../../contract/fields.ts'
import { namesOf, recordOf } from '../../contract/record-of.ts'
import { type Static, Type } from '../../contract/type.ts'
import { leadFields, type StoredLeadFields } from './lead-fields.ts'

const { user_id: _, is_corporate_training: __, owner_ids: ___, ...textFieldsOnly } = leadFields
const textFields = namesOf(textFieldsOnly)

const texts = recordOf(textFields, (name) =>
  name === 'mobile' ? contact('mobile', Type.String()) : Type.String(),
)

/** A lead with its original fields; "" for an omitted one. */
export const LeadRow = namedObject('Lead', {
  lead_id: Type.String({ description: 'ID of the lead' }),
  user_id: Type.String({ description: 'User of the lead' }),
  corp_id: Type.String({ description: 'Organization ID' }),
  app_id: Type.String({ description: 'The account that sent the lead' }),
  ctime: Timestamp,
  mtime: described(Timestamp, 'Time of the last change, such as a merge that moved the lead to another user'),
  version: Type.Integer({ description: 'Number of changes, from 1' }),
  is_corporate_training: NullableBoolean,
  owner_ids: Type.Array(Type.String()),
  import_id: Type.String({ description: 'The import of the lead file that had it; "" if it came otherwise' }),
  ...texts,
})
export type LeadRow = Static<typeof LeadRow>

/** The current user of a lead. */
const LeadUser = Type.Object({
  name: Type.String(),
  pool: Type.String(),
  owner_ids: Type.Array(Type.String()),
  holder_id: described(NullableString, 'The owner that has claimed the user'),
})

/** A lead in a list, with its user and the owners of the user. */
export const ListedLead = namedObject('ListedLead', { ...LeadRow.properties, user: LeadUser })

export interface StoredLead {
  lead_id: string
  user_id: string
  app_id: string
  fields: StoredLeadFields
  ctime: string
  mtime: string
  version: number
}

export interface StoredListedLead extends StoredLead {
  user: Static<typeof LeadUser>
}

export function leadRowOf(corp_id: string, { fields, ...lead }: StoredLead): LeadRow {
  const { lead_id, user_id, app_id, ctime, mtime, version } = lead
  return {
    lead_id,
    user_id,
    corp_id,
    app_id,
    ctime,
    mtime,
    version,
    is_corporate_training: fields.is_corporate_training ?? null,
    owner_ids: fields.owner_ids ?? [],
    import_id: fields.import_id ?? '',
    ...recordOf(textFields, (name) => fields[name] ?? ''),
  }
}

const someTexts = {
  area_code: '86',
  mobile: '13800138000',
  name: 'Mei Lin',
  utm_source: 'open-day',
  form1_name: 'When would you like to start?',
  form1_value: 'Next spring',
  entry_id: 'open-day-2026-0042',
  course_code: 'EMBA',
  company_name: 'Harbour Logistics',
}

export const exampleLead = leadRowOf(exampleIds.corp_id, {
  lead_id: exampleIds.lead_id,
  user_id: exampleIds.user_id,
  app_id: exampleIds.app_id,
  fields: { ...someTexts, is_corporate_training: false, owner_ids: [exampleIds.owner_id] },
  ctime: '2026-11-15 10:00:00',
  mtime: '2026-11-15 10:00:00',
  version: 1,
})

export const exampleListedLead = {
  ...exampleLead,
  user: { name: 'Mei Lin', pool: 'alive', owner_ids: [exampleIds.owner_id], holder_id: exampleIds.owner_id },
}
