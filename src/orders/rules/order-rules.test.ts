import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import {
  giveRefund,
  movesFrom,
  moveTo,
  type OrderState,
  received,
  refundable,
  settleFirst,
  settleRepriced,
  statusOfSubOrder,
  takePayment,
} from './order-rules.ts'
import { moves, type OrderStatus, orderStatuses } from './status.ts'

const earlier = '2026-01-01T00:00:00.000000Z'
const at = '2026-02-01T00:00:00.000000Z'

function order(
  status: OrderStatus,
  ...subOrders: [total_price: number, paid: number, refunded?: number][]
): OrderState {
  const total_price = subOrders.reduce((sum, [total]) => sum + total, 0)
  return {
    order_id: 'order',
    status,
    currency: 'CNY',
    ...{ listed_price: total_price, discounted_price: total_price, total_price },
    ...{ service_charge: 0, foreign_service_charge: 0, coupon_ids: [], coupon_lines: [] },
    version: 1,
    completed_time: null,
    expired_time: null,
    subOrders: subOrders.map(([total_price, paid, refunded = 0], index) => ({
      sub_order_id: `subOrder${index + 1}`,
      seq: index + 1,
      type: 'installment',
      status: statusOfSubOrder(status, { paid, total_price }),
      total_price,
      payment_deadline: null,
      completed_time: null,
      paid,
      refunded,
      payments: paid > 0 ? 1 : 0,
    })),
  }
}

describe('moves', () => {
  test('follow the table and nothing else, from any status to any', () => {
    for (const from of orderStatuses) {
      for (const to of orderStatuses) {
        const state = order(from, [100, 0])
        if (moves[from].includes(to)) expect(moveTo(state, to, at).status).toBe(to)
        else expect(() => moveTo(state, to, at), `${from} → ${to}`).toThrow(ApiError)
      }
    }
  })

  test('to canceled from success need every unit back', () => {
    expect(movesFrom(order('success', [100, 100, 99]))).toEqual(['locked'])
    expect(movesFrom(order('success', [100, 100, 100]))).toEqual(['locked', 'canceled'])
    expect(movesFrom(order('success', [100, 60, 60], [100, 140, 140]))).toContain('canceled')
  })

  test('set and clear the time of expiry', () => {
    const expired = moveTo(order('pending', [100, 1]), 'expired', at)
    expect(expired.expired_time).toBe(at)
    expect(moveTo(expired, 'created', at).expired_time).toBeNull()
  })

  test('keep the time of completion through a lock, and lose it with the completion', () => {
    const complete = { ...order('success', [100, 100]), completed_time: earlier }
    const locked = moveTo(complete, 'locked', at)
    expect(locked.completed_time).toBe(earlier)
    expect(moveTo(locked, 'success', at).completed_time).toBe(earlier)
    expect(moveTo(locked, 'pending', at).completed_time).toBeNull()
  })
})

describe('a payment', () => {
  test.each([
    ['created', 1, 'pending'],
    ['created', 100, 'success'],
    ['pending', 99, 'pending'],
    ['pending', 100, 'success'],
    ['pending', 101, 'success'],
    ['success', 1, 'success'],
  ] as const)('on %s of %i leaves it %s', (from, price, to) => {
    expect(takePayment(order(from, [60, 0], [40, 0]), 'subOrder1', price, at).status).toBe(to)
  })

  test('completes the sub-order it pays in full, and tells when', () => {
    const paid = takePayment(order('created', [60, 0], [40, 0]), 'subOrder2', 40, at)
    expect(paid.subOrders.map(({ status, completed_time }) => [status, completed_time])).toEqual([
      ['created', null],
      ['success', at],
    ])
  })

  test('changes nothing that it is given', () => {
    const state = order('created', [60, 0])
    const before = structuredClone(state)
    takePayment(state, 'subOrder1', 60, at)
    expect(state).toEqual(before)
  })
})

test('payments and refunds in any sequence keep the sums, and no refund brings back a debt', () => {
  const step = fc.record({
    subOrder: fc.constantFrom('subOrder1', 'subOrder2'),
    price: fc.integer({ min: 1, max: 80 }),
    isRefund: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let state = order('created', [60, 0], [40, 0])
      let sum = 0
      for (const { subOrder, price, isRefund } of steps) {
        if (!isRefund) {
          state = takePayment(state, subOrder, price, at)
          sum += price
          continue
        }
        const most = refundable(state.subOrders.find(({ sub_order_id }) => sub_order_id === subOrder)!)
        if (price > most) continue
        const { status } = state
        state = giveRefund(state, subOrder, price, at)
        expect(state.status).toBe(status)
      }
      expect(received(state)).toBe(sum)
      if (sum > 0) expect(state.status).toBe(sum >= 100 ? 'success' : 'pending')
    }),
  )
})

describe('settling', () => {
  test('an order for nothing is complete from the start, unless it is not confirmed yet', () => {
    expect(settleFirst(order('created', [0, 0]), at)).toMatchObject({ status: 'success', completed_time: at })
    expect(settleFirst(order('unconfirmed', [0, 0]), at).status).toBe('unconfirmed')
    expect(settleFirst(order('created', [1, 0]), at).status).toBe('created')
  })

  test.each([
    ['pending', 100, 100, 'success'],
    ['pending', 100, 99, 'pending'],
    ['created', 100, 100, 'success'],
    ['created', 100, 0, 'created'],
    ['created', 0, 0, 'success'],
    ['tbd', 0, 0, 'tbd'],
  ] as const)('after a change of price, %s of %i with %i received is %s', (from, total, paid, to) => {
    expect(settleRepriced(order(from, [total, paid]), at).status).toBe(to)
  })
})
