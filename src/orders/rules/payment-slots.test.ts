import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fillSlots,
  type LedgerPayment,
  PaymentColumnFields,
  paymentSlots,
  renderSlots,
} from './payment-slots.ts'

const attributes = [
  'id',
  'status',
  'source',
  'currency',
  'charge_id',
  'comments',
  'completed_time',
  'price',
  'exchange_rate',
  'receipt_num',
]

const payments = fc.array(
  fc.record<LedgerPayment>({
    payment_id: fc.uuid(),
    status: fc.constant('success'),
    source: fc.constantFrom('payment_gateway', 'console'),
    currency: fc.constantFrom('CNY', 'JPY', 'KWD'),
    price: fc.integer({ min: 1, max: 999_999_999 }),
    exchange_rate: fc.integer({ min: 1, max: 9_999_999 }),
    rate: fc.integer({ min: 1, max: 9_999_999 }).map((rate) => String(rate / 4096)),
    charge_id: fc.string(),
    receipt_num: fc.option(fc.nat()),
    comments: fc.string(),
    completed_time: fc.constant('2024-03-11 09:30:00'),
  }),
  { maxLength: paymentSlots },
)

test('there are fifteen slots of ten attributes each, declared and filled alike', () => {
  const columns = Array.from({ length: 15 }, (_, n) =>
    attributes.map((name) => `payment${n + 1}_${name}`),
  ).flat()
  expect(paymentSlots).toBe(15)
  expect(Object.keys(PaymentColumnFields)).toEqual(columns)
  expect(Object.keys(fillSlots([]))).toEqual(columns)
})

test('payments fill the slots from the first one on; every other slot is null in all attributes', () => {
  fc.assert(
    fc.property(payments, (made) => {
      const filled = fillSlots(made) as Record<string, unknown>
      for (let slot = 1; slot <= paymentSlots; slot++) {
        const shown = Object.fromEntries(attributes.map((name) => [name, filled[`payment${slot}_${name}`]]))
        expect(shown).toEqual(expectedOf(made[slot - 1]))
      }
    }),
  )
})

test('amounts are in major units of the payment, rates are plain', () => {
  const base = {
    payment_id: 'p',
    status: 'success',
    source: 'console',
    charge_id: '',
    comments: '',
    completed_time: '',
  }
  const filled = fillSlots([
    { ...base, currency: 'CNY', price: 1_280_005, exchange_rate: 10_000, rate: '1', receipt_num: null },
    { ...base, currency: 'JPY', price: 98_000, exchange_rate: 480, rate: '0.048', receipt_num: 7 },
    { ...base, currency: 'KWD', price: 1, exchange_rate: 234_567, rate: '23.45671234', receipt_num: 0 },
  ])
  expect(filled).toMatchObject({
    payment1_price: 12_800.05,
    payment1_exchange_rate: 1,
    payment1_receipt_num: null,
    payment2_price: 98_000,
    payment2_exchange_rate: 0.048,
    payment2_receipt_num: 7,
    payment3_price: 0.001,
    payment3_exchange_rate: 23.45671234,
    payment3_receipt_num: 0,
    payment4_price: null,
  })
})

function expectedOf(payment: LedgerPayment | undefined): Record<string, unknown> {
  if (!payment) return Object.fromEntries(attributes.map((name) => [name, null]))
  const decimals = { CNY: 2, JPY: 0, KWD: 3 }[payment.currency]!
  const { payment_id, price, exchange_rate: _, rate, ...same } = payment
  return {
    id: payment_id,
    ...same,
    price: decimal(price, decimals),
    exchange_rate: Number(rate),
  }
}

function decimal(value: number, places: number): number {
  return Number(`${value}e-${places}`)
}

test('slots as JSON are the filled slots, in their order', () => {
  fc.assert(
    fc.property(payments, (made) => {
      const text = `{"before":1${renderSlots(made)}}`
      expect(text).toBe(JSON.stringify({ before: 1, ...fillSlots(made, made.length) }))
    }),
  )
})
