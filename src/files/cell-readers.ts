import { currencyExponents } from '../contract/currencies.ts'
import { isLocalTime } from '../contract/formats.ts'
import { dateOfSerial } from './excel-dates.ts'
import { type CellContext, CellRefused } from './read-cells.ts'

export function text(cell: string): string {
  return cell
}

export function word(cell: string): string {
  return cell.toLowerCase().replaceAll(/[\s-]+/g, '_')
}

export function list(cell: string): string[] {
  return cell
    .split(/[;；]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

export function count(cell: string): number {
  const digits = cell.normalize('NFKC')
  if (/^[0-9]{1,15}$/.test(digits)) return Number(digits)
  throw new CellRefused('must be a whole number, digits only')
}

export function areaCode(cell: string): string {
  return cell.normalize('NFKC').replace(/^(\+|00)\s*/, '')
}

export function mobileNumber(cell: string): string {
  return cell.normalize('NFKC').replaceAll(/[\s()-]/g, '')
}

export function currencyCode(cell: string): string {
  const code = cell.normalize('NFKC').toUpperCase()
  if (Object.hasOwn(currencyExponents, code)) return code
  throw new CellRefused('must be an ISO 4217 code such as CNY')
}

const writtenDay =
  /^([0-9]{4})([-/.年])([0-9]{1,2})(?:[-/.月])([0-9]{1,2})日?(?:[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.0+)?)?)?$/

/**
 * A day or a time in the zone of the organization. Dates that lost their format in a spreadsheet are serial numbers.
 */
export function localTime(cell: string, { countsFrom1904 }: CellContext): string {
  const plain = cell.normalize('NFKC').trim()
  const [, year, , month = '', day = '', hour, minute, second = '00'] = writtenDay.exec(plain) ?? []
  const two = (digits: string) => digits.padStart(2, '0')
  const time =
    year === undefined
      ? serialDay(plain, countsFrom1904)
      : `${year}-${two(month)}-${two(day)}${hour === undefined ? '' : ` ${two(hour)}:${minute}:${second}`}`
  if (time !== undefined && isLocalTime(time)) return time
  throw new CellRefused('must be a date (YYYY-MM-DD) or a time (YYYY-MM-DD HH:MM:SS) that exists')
}

/** Only serial numbers from 1954 to 2119 count as days. */
function serialDay(cell: string, countsFrom1904: boolean): string | undefined {
  if (!/^[0-9]{5}(\.[0-9]+)?$/.test(cell)) return undefined
  const serial = Number(cell)
  return serial >= 20_000 && serial <= 80_000 ? dateOfSerial(serial, countsFrom1904) : undefined
}
