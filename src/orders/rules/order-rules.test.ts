import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import { type OrderStatus, orderStatuses } from '../../contract/order-statuses.ts'
import { linesOfTakings, takeOffPayment, takingsOf } from './allocation.ts'
import {
  credited,
  held,
  loseMoney,
  movesFrom,
  moveTo,
  noMoney,
  type OrderState,
  outstanding,
  overpaid,
  received,
  refunded,
  refundLines,
  settleFirst,
  settleRepriced,
  statusOfSubOrder,
  takeMoney,
  writeOff,
  writtenOff,
} from './order-rules.ts'
import { moves } from './status.ts'

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
    subOrders: subOrders.map(([total_price, paid, refunded = 0], index) => {
      const sums = { ...noMoney, total_price, paid, refunded, credited: refunded, payments: paid > 0 ? 1 : 0 }
      const subOrder = { ...sums, sub_order_id: `subOrder${index + 1}`, seq: index + 1 }
      return {
        ...subOrder,
        type: 'installment',
        status: statusOfSubOrder(status, subOrder),
        payment_deadline: null,
        completed_time: null,
      }
    }),
    allocations: subOrders.flatMap(([, price, refunded = 0], index) =>
      price > 0 ? [{ payment_id: 'first', sub_order_id: `subOrder${index + 1}`, price, refunded }] : [],
    ),
  }
}

let payments = 0

function pay(state: OrderState, price: number, startId?: string): OrderState {
  const paid = takeMoney(state, [{ payment_id: `payment${payments++}`, price }], at, startId)
  if ('because' in paid) throw new Error(paid.because)
  return paid
}

describe('moves', () => {
  test('follow the table only, from any status to any other', () => {
    for (const from of orderStatuses) {
      for (const to of orderStatuses) {
        const state = order(from, [100, 0])
        const isByMoney = from === 'locked' && ['pending', 'success'].includes(to)
        if (moves[from].includes(to) && !isByMoney) expect(moveTo(state, to, at).status).toBe(to)
        else expect(() => moveTo(state, to, at), `${from} → ${to}`).toThrow(ApiError)
      }
    }
  })

  test('to canceled need every unit refunded or retained, from any status', () => {
    expect(movesFrom(order('success', [100, 100, 99]))).toEqual(['locked'])
    expect(movesFrom(order('success', [100, 100, 100]))).toEqual(['locked', 'canceled'])
    expect(movesFrom(order('locked', [100, 100, 99]))).not.toContain('canceled')
    expect(movesFrom(order('pending', [100, 60, 60], [100, 40, 40]))).toContain('canceled')
    expect(() => moveTo(order('pending', [100, 60]), 'canceled', at)).toThrow('it holds 60')
    expect(moveTo(order('pending', [100, 60]), 'canceled', at, true).status).toBe('canceled')
  })

  test('between created, pending and success follow money: from locked, only the one that it implies is possible', () => {
    for (const [paid, implied] of [
      [0, 'created'],
      [99, 'pending'],
      [100, 'success'],
    ] as const) {
      const locked = order('locked', [100, paid])
      expect(moveTo(locked, implied, at).status).toBe(implied)
      const others = (['created', 'pending', 'success'] as const).filter((to) => to !== implied)
      for (const to of others) expect(() => moveTo(locked, to, at)).toThrow(`makes it ${implied}`)
    }
    for (const from of ['created', 'pending'] as const)
      expect(() => moveTo(order(from, [100, 100]), 'success', at)).toThrow('does not move')
  })

  test('to expired need an order that has received nothing', () => {
    expect(() => moveTo(order('pending', [100, 1]), 'expired', at)).toThrow('received nothing')
    const expired = moveTo(order('created', [100, 0]), 'expired', at)
    expect(expired.expired_time).toBe(at)
    expect(moveTo(expired, 'created', at).expired_time).toBeNull()
  })

  test('of a free order to created complete it', () => {
    for (const from of ['tbd', 'unconfirmed'] as const)
      expect(moveTo(order(from, [0, 0]), 'created', at)).toMatchObject({
        status: 'success',
        completed_time: at,
      })
  })

  test('keep the time of completion during a lock, and lose it with the completion', () => {
    const complete = { ...order('success', [100, 100]), completed_time: earlier }
    const locked = moveTo(complete, 'locked', at)
    expect(locked.completed_time).toBe(earlier)
    expect(moveTo(locked, 'success', at).completed_time).toBe(earlier)
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
    expect(pay(order(from, [60, 0], [40, 0]), price).status).toBe(to)
  })

  test('completes the sub-order that it pays in full, and sets the time', () => {
    const paid = pay(order('created', [60, 0], [40, 0]), 40, 'subOrder2')
    expect(paid.subOrders.map(({ status, completed_time }) => [status, completed_time])).toEqual([
      ['created', null],
      ['success', at],
    ])
  })

  test('does not change its arguments', () => {
    const state = order('created', [60, 0])
    const before = structuredClone(state)
    pay(state, 60)
    expect(state).toEqual(before)
  })
})

describe('payments, refunds and voids in any sequence', () => {
  const step = fc.record({
    kind: fc.constantFrom('pay', 'pay', 'credit', 'return', 'void', 'write off', 'reinstate'),
    subOrder: fc.constantFrom(undefined, 'subOrder1', 'subOrder2', 'subOrder3'),
    price: fc.integer({ min: 1, max: 80 }),
  })
  const anyHistory = fc.tuple(
    fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 3 }),
    fc.array(step, { maxLength: 20 }),
  )

  function play(totals: number[], steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
    let state = order('created', ...totals.map((total): [number, number] => [total, 0]))
    let [came, back] = [0, 0]
    for (const { kind, subOrder, price } of steps) {
      if (kind === 'pay') {
        state = pay(state, price, subOrder)
        came += price
      }
      if ((kind === 'credit' || kind === 'return') && price <= held(state)) {
        const before = { status: state.status, owed: outstanding(state), over: overpaid(state) }
        const takings = takingsOf(state.subOrders, price, subOrder)
        const lines = linesOfTakings(state.allocations, takings)
        const surplus = new Map(takings.map((each) => [each.sub_order_id, each.surplus_price]))
        const refund = lines.map((line) => {
          const ofSurplus = Math.min(surplus.get(line.sub_order_id)!, line.price)
          surplus.set(line.sub_order_id, surplus.get(line.sub_order_id)! - ofSurplus)
          return { ...line, credited_price: kind === 'credit' ? line.price - ofSurplus : 0 }
        })
        state = refundLines(state, refund, at)
        back += price
        const reopened = kind === 'return' ? Math.max(0, price - before.over) : 0
        expect(outstanding(state)).toBe(before.owed + reopened)
        if (reopened === 0) expect(state.status).toBe(before.status)
      }
      if (kind === 'void' && state.allocations.length > 0) {
        const { payment_id } = state.allocations[price % state.allocations.length]!
        const { taken, allocations } = takeOffPayment(state.allocations, payment_id)
        came -= taken.reduce((sum, line) => sum + line.price, 0)
        state = loseMoney(state, allocations, at)
      }
      if (kind === 'write off') state = writeOff(state, Math.min(price, outstanding(state)), at)
      if (kind === 'reinstate') state = writeOff(state, -Math.min(price, writtenOff(state)), at)
    }
    return { state, came, back }
  }

  test('account for every unit of money', () => {
    fc.assert(
      fc.property(anyHistory, ([totals, steps]) => {
        const { state, came, back } = play(totals, steps)
        expect([received(state), refunded(state)]).toEqual([came, back])
        const claim = state.total_price - credited(state) - writtenOff(state)
        expect(claim).toBeGreaterThanOrEqual(0)
        expect(outstanding(state)).toBe(Math.max(0, claim - (came - back)))
        expect(overpaid(state)).toBe(Math.max(0, came - back - claim))
        expect(overpaid(state)).toBeLessThanOrEqual(held(state))
        for (const line of state.allocations) expect(line.refunded).toBeLessThanOrEqual(line.price)
      }),
      { numRuns: 1000 },
    )
  })

  test('leave an order in the status that its money implies', () => {
    fc.assert(
      fc.property(anyHistory, ([totals, steps]) => {
        const { state } = play(totals, steps)
        if (steps.length === 0) return
        const isPaid = held(state) + credited(state) > 0
        if (outstanding(state) > 0) expect(state.status).toBe(isPaid ? 'pending' : 'created')
        for (const subOrder of state.subOrders)
          if (state.status === 'success') expect(subOrder.status).toBe('success')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('settling', () => {
  test('a free order is complete from the start, unless it is not confirmed yet', () => {
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
