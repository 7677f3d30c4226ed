import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { formats } from '../../contract/formats.ts'
import { inputValidator } from '../../contract/validate.ts'
import { areaCode } from '../../files/cell-readers.ts'
import { type ColumnFault, type FaultColumns, faultsOfError } from '../../files/column-faults.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { importLead } from '../../people/leads/import-lead.ts'
import type { LeadFields } from '../../people/leads/lead-fields.ts'
import { readPhoneNumber } from '../../people/users/phone-number.ts'
import { type ColumnName, columns, type LeadMembers } from './columns.ts'

/** A row without faults: the input of leads/import, and its entry. */
export interface LeadRow {
  input: LeadFields
  /** The entry of the row or, without one, an id made of its content: the same row is the same entry in any file. */
  entry_id: string
  /** Hash of the values: the same row in another spelling has the same hash. */
  hash: string
}

const validLead = inputValidator(importLead)

/** Reads the cells of a row. Returns all faults. */
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
    if (error instanceof ApiError) return faultsOfError(error, leadFaults)
    throw error
  }
}

export const leadFaults: FaultColumns = {
  byCode: { 40401: { column: 'user_id', reason: 'names no user of the organization' } },
  byParameter: {},
  fallback: 'entry_id',
}

function numberOf(
  { mobile, area_code }: Partial<LeadMembers>,
  { country }: Organization,
): Partial<LeadMembers> | ColumnFault[] {
  if (mobile === undefined) return {}
  const given = area_code && areaCode(area_code)
  if (given && !formats['area-code'][0](given))
    return [{ column: 'area_code', reason: formats['area-code'][1] }]
  const number = readPhoneNumber(mobile, given ? { area_code: given } : { country })
  if (!number)
    return [
      { column: 'mobile', reason: `is not a phone number of ${given ? `calling code ${given}` : country}` },
    ]
  if (given && number.area_code !== given)
    return [
      {
        column: 'mobile',
        reason: `has the calling code ${number.area_code}, but the area code is ${given}`,
      },
    ]
  return number
}
