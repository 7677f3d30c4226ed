import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { formats } from '../../contract/formats.ts'
import { inputValidator } from '../../contract/validate.ts'
import { areaCode } from '../../files/cell-readers.ts'
import type { ColumnFault } from '../../files/column-faults.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { importLead } from '../../people/leads/import-lead.ts'
import type { LeadFields } from '../../people/leads/lead-fields.ts'
import { readPhoneNumber } from '../../people/users/phone-number.ts'
import { type ColumnName, columns, type LeadMembers } from './columns.ts'

/** A row whose cells could all be read: what leads/import takes, and the entry it is known by. */
export interface LeadRow {
  input: LeadFields
  /** Its own or, where it has none, one that is made of what it says: the same row is the same entry, in any file. */
  entry_id: string
  /** Of what was read: the same row written otherwise is the same row. */
  hash: string
}

const validLead = inputValidator(importLead)

/** Reads the cells of a row; every one that is wrong is named. */
export function readLeadRow(
  row: SourceRow,
  map: ColumnMap<ColumnName>,
  source: RowSource,
  organization: Organization,
): LeadRow | ColumnFault[] {
  const { members, faults } = readCells<LeadMembers>(columns, row, map, source)
  const number = numberOf(members, organization)
  if (Array.isArray(number)) faults.push(...number)
  if (faults.length > 0) return faults
  try {
    const input = validLead({ corp_id: organization.corp_id, ...members, ...number }) as LeadFields
    const hash = fingerprint(input)
    return { input, hash, entry_id: input.entry_id ?? `row-${hash.slice(0, 40)}` }
  } catch (error) {
    if (error instanceof ApiError) return leadFaults(error)
    throw error
  }
}

/** What a refusal says of the columns of a row. */
export function leadFaults({ code, message, details }: ApiError): ColumnFault[] {
  if (code === 40401) return [{ column: 'user_id', reason: 'names no user of the organization' }]
  const { errors = [] } = details
  if (errors.length === 0) return [{ column: 'entry_id', reason: message.replace(/\.$/, '') }]
  return errors.map(({ param, reason }) => ({ column: param.split('.')[0]!, reason }))
}

function numberOf(
  { mobile, area_code }: Partial<LeadMembers>,
  { country }: Organization,
): Partial<LeadMembers> | ColumnFault[] {
  if (mobile === undefined) return {}
  const beside = area_code && areaCode(area_code)
  if (beside && !formats['area-code'][0](beside))
    return [{ column: 'area_code', reason: formats['area-code'][1] }]
  const number = readPhoneNumber(mobile, beside ? { area_code: beside } : { country })
  if (!number)
    return [
      { column: 'mobile', reason: `is no phone number of ${beside ? `calling code ${beside}` : country}` },
    ]
  if (beside && number.area_code !== beside)
    return [
      {
        column: 'mobile',
        reason: `has the calling code ${number.area_code}, and ${beside} stands beside it`,
      },
    ]
  return number
}
