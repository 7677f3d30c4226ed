import { currencyExponents } from '../../../../contract/currencies.ts'
import { longest } from '../../../../contract/lengths.ts'
import { largestAmount } from '../../../../contract/rounding.ts'
import { majorText } from '../../../../files/amounts.ts'
import { FileRefused } from '../../../../files/row-source.ts'

export const statementFormats = ['csv', 'xlsx', 'camt053', 'mt940', 'stripe', 'alipay', 'wechat'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** A line as a file states it. */
export interface ReadLine {
  /** The line of the file, for messages. */
  line: number
  value_date: string
  /** Minor units; outgoing amounts are negative. Net of the fee. */
  price: number
  /** The fee that a gateway deducted: price + fee_price is the gross amount. */
  fee_price: number
  charge_id: string | null
  reference: string | null
  payer: string | null
  description: string | null
  /** The payout of a gateway that includes the line. */
  payout_id: string | null
}

/** A statement as a file states it. */
export interface ReadStatement {
  /** Number or id of the statement; null if the file has none. */
  name: string | null
  /** Number of the account; null if the file has none. */
  account: string | null
  currency: string
  /** Null if the file has no balances. */
  opening_price: number | null
  closing_price: number | null
  lines: ReadLine[]
}

/** The detected columns of a table. */
export interface ReadColumns {
  headers: string[]
  /** The meaning of each header; null if it is ignored. */
  columns: (string | null)[]
}

/** A table without a column that every statement needs. The caller can say which header means it. */
export class ColumnsMissing extends FileRefused {
  readonly table: ReadColumns

  constructor(message: string, table: ReadColumns) {
    super(message, { option: 'mapping' })
    this.table = table
  }
}

export interface StatementFile {
  format: StatementFormat
  encoding: string | null
  table: ReadColumns | null
  statements: ReadStatement[]
}

/** More lines than a bank sends in a file. They must fit into memory. */
const mostLines = 200_000

export function refusedLine(line: number, reason: string): FileRefused {
  return new FileRefused(`Line ${line}: ${reason}.`)
}

/** Adds a line, with texts of a length that can be stored. */
export function addLine(statement: Pick<ReadStatement, 'lines'>, line: ReadLine): void {
  if (statement.lines.length >= mostLines)
    throw refusedLine(line.line, `a statement has at most ${mostLines} lines`)
  if (line.price === 0 && line.fee_price === 0) return
  statement.lines.push({
    ...line,
    charge_id: idText(line.charge_id),
    payout_id: idText(line.payout_id),
    reference: shortText(line.reference, longest.name),
    payer: shortText(line.payer, longest.name),
    description: shortText(line.description, longest.longText),
  })
}

/** The ledger has no ids of this length. */
function idText(text: string | null): string | null {
  const plain = shortText(text, Number.POSITIVE_INFINITY)
  return plain === null || plain.length > longest.id ? null : plain
}

function shortText(text: string | null, length: number): string | null {
  const plain = (text ?? '')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
    .toWellFormed()
    .slice(0, length)
    .toWellFormed()
  return plain === '' ? null : plain
}

/** Minor units of a decimal such as 12.5, or the fault. */
export function minorOf(decimal: string, currency: string): number | string {
  const exponent = currencyExponents[currency]
  if (exponent === undefined) return `the currency ${currency} is not in ISO 4217`
  const [whole = '', decimals = ''] = decimal.split('.')
  // Banks write more decimals than a currency has, all of them zeros.
  const significant = decimals.replace(/0+$/, '')
  if (!/^[0-9]+$/.test(whole) || !/^[0-9]*$/.test(decimals)) return `${decimal} is not an amount`
  if (significant.length > exponent) return `${decimal} has more than ${exponent} decimals of ${currency}`
  const minor = BigInt(whole + significant.padEnd(exponent, '0'))
  return minor > BigInt(largestAmount) ? `${decimal} is more than the ledger takes` : Number(minor)
}

/** Refuses a statement whose lines do not lead from the opening to the closing balance. */
export function refuseWrongBalance({
  name,
  currency,
  opening_price,
  closing_price,
  lines,
}: ReadStatement): void {
  if (opening_price === null || closing_price === null) return
  const sum = lines.reduce((total, { price }) => total + BigInt(price), BigInt(opening_price))
  if (sum === BigInt(closing_price)) return
  const text = (minor: bigint | number) => majorText(BigInt(minor), currency)
  throw new FileRefused(
    `Statement ${name ?? 1}: the opening balance ${text(opening_price)} and ${lines.length} lines sum to ${text(sum)}, ` +
      `but the closing balance is ${text(closing_price)} ${currency}.`,
  )
}

/** A day that exists, from its parts. */
export function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== text ? undefined : text
}
