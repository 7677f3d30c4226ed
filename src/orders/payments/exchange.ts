import { invalid } from '../../contract/errors.ts'
import { convert, integerOfRate, largestAmount, rateBetween, rateOfInteger } from '../../contract/rounding.ts'

/** How an amount of another currency was told. */
export interface ExchangeInput {
  price: number
  exchange_rate?: number
  rate?: string
  settled_price?: number
}

/** What it comes to in the currency of the order, and by which rate. */
export interface Exchange {
  order_price: number
  rate: string
  exchange_rate: number
  settled_price: number | null
}

/** What was settled is the truth where it was told; else the price by the rate, rounded once. */
export function exchangeOf(input: ExchangeInput, currency: string, orderCurrency: string): Exchange {
  const { price, settled_price } = input
  const told = toldRate(input, currency, orderCurrency)
  if (told === undefined && settled_price === undefined)
    throw invalid('exchange_rate', `is required (or settled_price): the order is in ${orderCurrency}`)
  const rate = told ?? rateBetween(price, currency, orderCurrency, settled_price!)
  const order_price = settled_price ?? convert(price, currency, orderCurrency, rate)
  if (order_price < 1) throw invalid('price', 'is nothing in the currency of the order')
  if (order_price > largestAmount)
    throw invalid('price', 'is more than the ledger takes in the currency of the order')
  return { order_price, rate, exchange_rate: integerOfRate(rate), settled_price: settled_price ?? null }
}

function toldRate(input: ExchangeInput, currency: string, orderCurrency: string): string | undefined {
  const { price, exchange_rate, rate, settled_price } = input
  if (rate !== undefined && Number(rate) === 0) throw invalid('rate', 'must be above 0')
  if (rate !== undefined && exchange_rate !== undefined && integerOfRate(rate) !== exchange_rate)
    throw invalid('exchange_rate', `must be ${integerOfRate(rate)}, which rate comes to, or be left out`)
  const told = rate ?? (exchange_rate === undefined ? undefined : rateOfInteger(exchange_rate))
  if (currency !== orderCurrency) return told
  if (told !== undefined && Number(told) !== 1)
    throw invalid('exchange_rate', 'must be 10000 where the currency is the order’s own')
  if (settled_price !== undefined && settled_price !== price)
    throw invalid('settled_price', 'must be the price where the currency is the order’s own')
  return '1'
}
