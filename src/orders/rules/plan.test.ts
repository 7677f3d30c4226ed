import { describe, expect, test } from 'vitest'
import { planOf } from './plan.ts'

describe('a plan', () => {
  test('is one sub-order by default', () => {
    expect(planOf({}, 500, 'UTC')).toEqual([{ type: 'full', total_price: 500, payment_deadline: null }])
  })

  test('of equal sub-orders puts the remainder on the last one', () => {
    const plan = planOf({ installment_count: 3 }, 500, 'UTC')
    expect(plan.map(({ type, total_price }) => [type, total_price])).toEqual([
      ['installment', 166],
      ['installment', 166],
      ['balance', 168],
    ])
  })

  test('of more sub-orders than units has free sub-orders', () => {
    expect(planOf({ installment_count: 3 }, 2, 'UTC').map(({ total_price }) => total_price)).toEqual([
      0, 0, 2,
    ])
  })

  test('as listed must sum exactly to the total', () => {
    const listed = (...totals: number[]) =>
      planOf({ sub_orders: totals.map((total_price) => ({ total_price })) }, 500, 'UTC')
    expect(listed(100, 400).map(({ type }) => type)).toEqual(['installment', 'balance'])
    expect(() => listed(100, 399)).toThrow('must sum to the total price, 500, but sum to 499')
    expect(() => listed(100, 401)).toThrow('sub_orders')
  })

  test('keeps the given type and time of a sub-order', () => {
    const sub_orders = [{ type: 'deposit' as const, total_price: 5, payment_deadline: '2027-03-14 01:59:59' }]
    expect(planOf({ sub_orders }, 5, 'America/New_York')).toEqual([
      { type: 'deposit', total_price: 5, payment_deadline: new Date('2027-03-14T06:59:59Z') },
    ])
  })

  test('counts months from the first day, so that a short month shortens none after it', () => {
    const plan = planOf(
      { installment_count: 4, first_payment_deadline: '2027-01-31 10:00:00' },
      4,
      'Asia/Shanghai',
    )
    expect(plan.map(({ payment_deadline }) => payment_deadline!.toISOString())).toEqual([
      '2027-01-31T02:00:00.000Z',
      '2027-02-28T02:00:00.000Z',
      '2027-03-31T02:00:00.000Z',
      '2027-04-30T02:00:00.000Z',
    ])
  })
})
