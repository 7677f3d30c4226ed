import { invalid } from '../../contract/errors.ts'
import { convert, integerOfRate, largestAmount, rateBetween, rateOfInteger } from '../../contract/rounding.ts'

/** An amount in another currency, as reported. */
export interface ExchangeInput {
  price: number
  exchange_rate?: number
  rate?: string
  settled_price?: number
}

/** The amount in the currency of the order, and the rate. */
export interface Exchange {
  order_price: number
  rate: string
  exchange_rate: number
  settled_price: number | null
}

/** settled_price is authoritative if reported; otherwise the price × rate, rounded once. */
export function exchangeOf(input: ExchangeInput, currency: string, orderCurrency: string): Exchange {
  const { price, settled_price } = input
  const reported = reportedRate(input, currency, orderCurrency)
  if (reported === undefined && settled_price === undefined)
    throw invalid('exchange_rate', `is required (or settled_price): the order is in ${orderCurrency}`)
  const rate = reported ?? rateBetween(price, currency, orderCurrency, settled_price!)
  const order_price = settled_price ?? convert(price, currency, orderCurrency, rate)
  if (order_price < 1) throw invalid('price', 'is 0 in the currency of the order')
  if (order_price > largestAmount)
    throw invalid('price', `must be at most ${largestAmount} in the currency of the order`)
  const exchange_rate = integerOfRate(rate)
  if (!Number.isSafeInteger(exchange_rate))
    throw invalid(
      reported === undefined ? 'settled_price' : 'rate',
      `makes a rate that is too high: rate × 10,000 must be at most ${Number.MAX_SAFE_INTEGER}`,
    )
  return { order_price, rate, exchange_rate, settled_price: settled_price ?? null }
}

function reportedRate(input: ExchangeInput, currency: string, orderCurrency: string): string | undefined {
  const { price, exchange_rate, rate, settled_price } = input
  if (rate !== undefined && Number(rate) === 0) throw invalid('rate', 'must be above 0')
  if (rate !== undefined && exchange_rate !== undefined && integerOfRate(rate) !== exchange_rate)
    throw invalid('exchange_rate', `must be ${integerOfRate(rate)} (rate × 10,000), or be omitted`)
  const reported = rate ?? (exchange_rate === undefined ? undefined : rateOfInteger(exchange_rate))
  if (currency !== orderCurrency) return reported
  if (reported !== undefined && Number(reported) !== 1)
    throw invalid('exchange_rate', 'must be 10000 if the currency is the order’s')
  if (settled_price !== undefined && settled_price !== price)
    throw invalid('settled_price', 'must be equal to price if the currency is the order’s')
  return '1'
}
