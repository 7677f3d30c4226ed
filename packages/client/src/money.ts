import { currencyDigits } from './generated/currency-digits.ts'

declare const unit: unique symbol

/** An amount of a record in minor units. It has a currency only together with its record: `money(order, 'total_price')`. */
export type Minor = number & { readonly [unit]: 'minor units' }

/** An amount to send, in minor units: `money.minor`, or a number. */
export type Amount = number | bigint

/** An amount in minor units with its currency. */
export class Money {
  readonly minor: bigint
  readonly currency: string

  constructor(minor: number | bigint, currency: string) {
    this.minor = BigInt(minor)
    this.currency = currency
  }

  /** Reads major units, such as `9000.00`. More decimals than the currency has are refused, not rounded. */
  static parse(decimal: string, currency: string): Money {
    const digits = digitsOf(currency)
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
    if (whole === undefined || fraction.length > digits)
      throw new RangeError(`${decimal} is not an amount in ${currency}, which has ${digits} decimals`)
    return new Money(BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`), currency)
  }

  /** Major units as an exact decimal, such as 9000.00. */
  get decimal(): string {
    const digits = digitsOf(this.currency)
    const text = String(this.minor < 0n ? -this.minor : this.minor).padStart(digits + 1, '0')
    const point = text.length - digits
    return `${this.minor < 0n ? '-' : ''}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ''}`
  }

  plus(other: Money): Money {
    if (other.currency !== this.currency)
      throw new RangeError(`${other} cannot be added to ${this}: these are two currencies`)
    return new Money(this.minor + other.minor, this.currency)
  }

  toString(): string {
    return `${this.decimal} ${this.currency}`
  }

  toJSON(): { minor: string; currency: string } {
    return { minor: String(this.minor), currency: this.currency }
  }
}

type PriceOf<Row> = { [Key in keyof Row]-?: Row[Key] extends Minor ? Key : never }[keyof Row]
type CurrencyOf<Row> = { [Key in keyof Row]-?: Key extends `${string}currency` ? Key : never }[keyof Row]

/**
 * A price of a record with its currency: `money(order, 'total_price')`. The currency is the member `currency`, or the one that
 * is named: `money(order, 'application_fee_price', 'application_fee_currency')`.
 */
export function money<Row extends { currency: string }, Name extends keyof Row>(
  row: Row,
  price: Name & PriceOf<Row>,
  currency?: CurrencyOf<Row>,
): Money
export function money<Row, Name extends keyof Row>(
  row: Row,
  price: Name & PriceOf<Row>,
  currency: CurrencyOf<Row>,
): Money
export function money(row: object, price: PropertyKey, currency: PropertyKey = 'currency'): Money {
  const members = row as Record<PropertyKey, unknown>
  return new Money(members[price] as number, members[currency] as string)
}

function digitsOf(currency: string): number {
  const [digits = '2'] = Object.entries(currencyDigits).find(([, codes]) => codes.includes(currency)) ?? []
  return Number(digits)
}
