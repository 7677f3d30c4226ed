import { readAmount } from '../../../../files/amounts.ts'
import { dayOf, minorOf } from './statement-file.ts'

/** Minor units of a written amount, with its sign, or the fault. */
export function signedPrice(cell: string, currency: string): number | string {
  const plain = cell
    .normalize('NFKC')
    .replaceAll('−', '-')
    .replaceAll(/[¥￥元$€£₩円]|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g, '')
    .trim()
  const isNegative = /^-|-$|^\(.*\)$|DR$/i.test(plain)
  const digits = plain.replaceAll(/^[-+(]\s*|[-+)]$|\s*[CD]R$/gi, '').trim()
  // 1234,5: no thousands have one or two digits.
  const decimal = /^[0-9]+,[0-9]{1,2}$/.test(digits) ? digits.replace(',', '.') : readAmount(digits)?.decimal
  if (decimal === undefined) return `${cell} is not an amount`
  const price = minorOf(decimal, currency)
  return typeof price === 'string' || !isNegative ? price : -price
}

export type DayOrder = 'dmy' | 'mdy'

/**
 * Reads the dates of a column. 03/04/2026 is a day in April or in March: the order of the other dates of the file decides,
 * or the caller.
 */
export function dateReader(cells: string[], given?: DayOrder): (cell: string) => string | undefined {
  const order = given ?? orderOf(cells)
  return (cell) => {
    const plain = cell.normalize('NFKC').trim()
    const [, year, month, day] =
      /^([0-9]{4})[-/.年]?([0-9]{1,2})[-/.月]?([0-9]{1,2})日?(?:$|[T\s])/.exec(plain) ?? []
    if (year) return dayOf(year, month!, day!)
    const [, first, mark, second, last] =
      /^([0-9]{1,2})([./-])([0-9]{1,2})[./-]([0-9]{4}|[0-9]{2})(?:$|[T\s])/.exec(plain) ?? []
    if (!first) return undefined
    const full = last!.length === 2 ? `20${last}` : last!
    if (mark === '.') return dayOf(full, second!, first)
    return order === undefined
      ? undefined
      : order === 'dmy'
        ? dayOf(full, second!, first)
        : dayOf(full, first, second!)
  }
}

function orderOf(cells: string[]): DayOrder | undefined {
  const found = cells.map((cell) => /^([0-9]{1,2})[/-]([0-9]{1,2})[/-]/.exec(cell))
  if (found.some((parts) => Number(parts?.[1]) > 12)) return 'dmy'
  return found.some((parts) => Number(parts?.[2]) > 12) ? 'mdy' : undefined
}

/** Whether money came in; undefined if the row moves none. */
export function isIncoming(direction: string, category: string): boolean | undefined {
  const word = direction.normalize('NFKC').toLowerCase().trim()
  if (/^(收入|收|入|贷|c|cr|crdt|credit|h|haben|\+|in|incoming)$/.test(word)) return true
  if (/^(支出|支|出|借|d|dr|dbit|debit|s|soll|-|out|outgoing)$/.test(word)) return false
  // Neither income nor expense: money of the account itself that moves to or from the bank.
  if (category.includes('提现')) return false
  return category.includes('充值') ? true : undefined
}
