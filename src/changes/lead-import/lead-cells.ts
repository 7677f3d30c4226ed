import { localTime } from '../../files/cell-readers.ts'
import { type CellContext, CellRefused } from '../../files/read-cells.ts'

/** Spreadsheets and web pages copy addresses as links, and people write full-width letters. */
export function emailAddress(cell: string): string {
  return cell
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/^<(.*)>$/, '$1')
}

/** Whether 1/2/2026 is the first of February or the second of January. */
export const dayOrders = ['day_first', 'month_first'] as const
export type DayOrder = (typeof dayOrders)[number]

type TimeContext = CellContext & { dayOrder?: DayOrder | undefined }

const instant =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)\s*(?:(Z|UTC|GMT)|(?:UTC|GMT)?([+-])([0-9]{1,2}):?([0-9]{2})?)$/
const clock = String.raw`(?:[T,\s]+(?:at\s+)?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:\.[0-9]+)?\s*([ap])?\.?m?\.?)?`
/** 1/2/2026, 1.2.2026 and 1-2-2026. Only Europeans write dots, and they write the day first. */
const withYearLast = new RegExp(`^([0-9]{1,2})([/.-])([0-9]{1,2})\\2([0-9]{4})${clock}$`, 'i')
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const word = `(${monthNames.join('|')})[a-z]*\\.?`
const withMonthFirst = new RegExp(`^${word}\\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\\s+([0-9]{4})${clock}$`, 'i')
const withMonthSecond = new RegExp(
  `^([0-9]{1,2})(?:st|nd|rd|th)?[\\s-]+${word}[\\s,-]+([0-9]{4})${clock}$`,
  'i',
)
const whole = /^([0-9]{4})([0-9]{2})([0-9]{2})$/

const ambiguousDay = 'can be read as two different days: write it as YYYY-MM-DD'

/**
 * A day or a time, or an instant with its offset. A date that can be read in two ways is refused, unless the file tells
 * the order of day and month.
 */
export function leadTime(cell: string, context: TimeContext): string {
  const written = withClock(cell.normalize('NFKC').trim())
  const [, day, time, zulu, sign, hours, minutes = '00'] = instant.exec(written) ?? []
  if (day !== undefined) return `${day}T${time}${zulu ? 'Z' : `${sign}${hours!.padStart(2, '0')}:${minutes}`}`
  return localTime(inOrder(written, context.dayOrder).replace(whole, '$1-$2-$3'), context)
}

/** A day without its time. */
export function birthday(cell: string, context: TimeContext): string {
  return leadTime(cell, context).slice(0, 10)
}

/** The order of day and month that a date reveals; "either" if it can be read in two ways, undefined if in one only. */
export function dayOrderOf(cell: string): DayOrder | 'either' | undefined {
  const [, first, separator, second] = withYearLast.exec(cell.normalize('NFKC').trim()) ?? []
  if (first === undefined || separator === '.' || first === second) return undefined
  const [a, b] = [Number(first), Number(second)]
  if (a > 12) return b > 12 ? undefined : 'day_first'
  return b > 12 ? 'month_first' : 'either'
}

/** 上午 and 下午 before or behind the time, as Chinese systems write them. */
function withClock(written: string): string {
  const [, day, half, hour, rest] = /^(\S+)\s*(上午|下午)\s*([0-9]{1,2})(:.*)$/.exec(written) ?? []
  const [, dayBefore, hourBefore, restBefore, halfBehind, zone = ''] =
    /^(\S+)\s+([0-9]{1,2})(:[0-9:.]+)\s*(上午|下午)(.*)$/.exec(written) ?? []
  if (day === undefined && dayBefore === undefined) return written
  const hours = (Number(hour ?? hourBefore) % 12) + ((half ?? halfBehind) === '下午' ? 12 : 0)
  const time = `${String(hours).padStart(2, '0')}${rest ?? restBefore}`
  return `${isoDay(day ?? dayBefore!)} ${time}${zone.trim()}`
}

function isoDay(day: string): string {
  const [, year, month = '', date = ''] =
    /^([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?$/.exec(day) ?? []
  return year === undefined ? day : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
}

function inOrder(written: string, dayOrder: DayOrder | undefined): string {
  const numbers = withYearLast.exec(written)
  if (numbers) {
    const [, first = '', separator, second = '', year = '', ...time] = numbers
    const order = separator === '.' || first === second ? 'day_first' : dayOrderOf(written)
    const found = order === 'either' ? dayOrder : order
    if (found === undefined) throw new CellRefused(ambiguousDay)
    const [day, month] = found === 'day_first' ? [first, second] : [second, first]
    return timeText(year, month, day, time)
  }
  const [, monthBefore, dayBehind, year = '', ...time] = withMonthFirst.exec(written) ?? []
  if (monthBefore) return timeText(year, numberOf(monthBefore), dayBehind!, time)
  const [, dayBefore, monthBehind, yearBehind = '', ...later] = withMonthSecond.exec(written) ?? []
  return dayBefore ? timeText(yearBehind, numberOf(monthBehind!), dayBefore, later) : written
}

function numberOf(month: string): string {
  return String(monthNames.indexOf(month.slice(0, 3).toLowerCase()) + 1)
}

function timeText(
  year: string,
  month: string,
  day: string,
  [hour, minute, second = '00', half]: (string | undefined)[],
) {
  const two = (number: string | number) => String(number).padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return `${date} ${two(hours)}:${minute}:${second ?? '00'}`
}
