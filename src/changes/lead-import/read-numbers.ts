import type { Organization } from '../../contract/caller.ts'
import { formats } from '../../contract/formats.ts'
import { areaCode } from '../../files/cell-readers.ts'
import type { ColumnFault } from '../../files/column-faults.ts'
import type { NumberContext, PhoneNumber } from '../../people/users/phone-number.ts'
import { isSame, readMobile } from '../../people/users/read-mobile.ts'
import type { LeadMembers } from './lead-columns.ts'
import type { NumberColumn, ValueMapping } from './value-mapping.ts'

export interface Numbers {
  first?: PhoneNumber | undefined
  second?: PhoneNumber | undefined
}

/** Called with a calling code that numbers without one seem to have. */
export type OnForeign = (column: NumberColumn, code: string) => void

/** Reads the phone numbers of a row. The plan asks about numbers that look like those of another country. */
export function readNumbers(
  members: Partial<LeadMembers>,
  { country }: Organization,
  values: ValueMapping,
  onForeign: OnForeign,
): Numbers | ColumnFault[] {
  const given = members.area_code && areaCode(members.area_code)
  if (given && !formats['area-code'][0](given))
    return [{ column: 'area_code', reason: formats['area-code'][1] }]
  const context: NumberContext = given ? { area_code: given } : { country }
  const faults: ColumnFault[] = []
  const read = (column: NumberColumn, allowsLandline: boolean): Numbers => {
    const text = members[column]
    if (text === undefined) return {}
    const found = readMobile(text, context, { allowsLandline })
    if ('reason' in found) {
      faults.push({ column, reason: found.reason })
      return {}
    }
    if (!('looksLike' in found)) return { first: found.number, second: found.second }
    const { looksLike, number } = found
    onForeign(column, looksLike)
    const answer = values[column]?.[looksLike]
    if (answer === looksLike) return { first: number }
    if (answer !== '')
      faults.push({
        column,
        reason: `looks like a number of calling code ${looksLike}: confirm that, or add the code`,
      })
    return {}
  }
  const first = read('mobile', false)
  const second = read('backup_mobile', true)
  if (given && first.first && first.first.area_code !== given)
    faults.push({
      column: 'mobile',
      reason: `has the calling code ${first.first.area_code}, but the other column says ${given}`,
    })
  if (faults.length > 0) return faults
  const numbers = [first.first, first.second, second.first, second.second].filter(
    (each) => each !== undefined,
  )
  const different = numbers.filter(
    (each, at) => !numbers.slice(0, at).some((earlier) => isSame(earlier, each)),
  )
  if (different.length > 2)
    return [
      { column: 'backup_mobile', reason: `would be number ${different.length} of the person: leave two` },
    ]
  // A landline alone does not identify a person: it stays a second phone.
  return first.first ? { first: different[0], second: different[1] } : { second: different[0] }
}
