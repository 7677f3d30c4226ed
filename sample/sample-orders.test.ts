import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../src/backoffice/finance/check-ledger.ts'
import { orderStatuses } from '../src/contract/order-statuses.ts'
import { basisPointsOf, convert } from '../src/contract/rounding.ts'
import { financialCourseAttributes } from '../src/orders/listing/financial-row.ts'
import { noMoney, statusOfSubOrder } from '../src/orders/rules/order-rules.ts'
import { paymentSlots } from '../src/orders/rules/payment-slots.ts'
import { expirableStatuses, orderTypes, subOrderTypes } from '../src/orders/rules/status.ts'
import { type LoadedSample, loadedSample, type Row } from '../test/support/sample.ts'

let sample: LoadedSample
beforeAll(async () => {
  sample = await loadedSample()
})
afterAll(() => sample?.database.drop())

const of = (table: string) => sample.of(table)
const by = (table: string, key: string, id: string) => sample.by(table, key, id)
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const time = (text: string) => new Date(text).getTime()

describe('orders', () => {
  test('show every status, type and currency, and all copied members of batches', () => {
    const seen = (table: string, column: string) => new Set(of(table).map((row) => row[column]))
    expect(seen('orders', 'status')).toEqual(new Set(orderStatuses))
    expect(seen('orders', 'type')).toEqual(new Set(orderTypes))
    expect(seen('sub_orders', 'type')).toEqual(new Set(subOrderTypes))
    expect(seen('orders', 'currency')).toEqual(new Set(['CNY', 'USD', 'EUR', 'JPY', 'HKD', 'KWD']))
    for (const order of of('orders')) {
      expect(Object.keys(order.course_copy).sort()).toEqual([...financialCourseAttributes].sort())
    }
  })

  test('fill the payment slots, and never more', () => {
    const counts = of('sub_orders').map(
      (subOrder) => by('payments', 'sub_order_id', subOrder.sub_order_id).length,
    )
    expect(Math.max(...counts)).toBe(paymentSlots)
    expect(Math.min(...counts)).toBe(0)
    expect(counts.filter((count) => count > 5).length).toBeGreaterThan(3)
  })

  test('owe the sum of their sub-orders, at most the listed price', () => {
    for (const order of of('orders')) {
      const subOrders = by('sub_orders', 'order_id', order.order_id)
      expect(sum(subOrders.map((subOrder) => subOrder.total_price))).toBe(order.total_price)
      const { discounted_price, service_charge, foreign_service_charge } = order
      expect(order.total_price).toBe(discounted_price + service_charge + foreign_service_charge)
      expect(order.discounted_price).toBeLessThanOrEqual(order.listed_price)
      expect(subOrders.map((subOrder) => subOrder.seq).sort()).toEqual(subOrders.map((_, index) => index + 1))
      expect(subOrders.every((subOrder) => subOrder.currency === order.currency)).toBe(true)
      expect(sum(Object.values(order.share_proportion))).toBe(10_000)
    }
    expect(of('orders').filter((order) => order.total_price === 0)).toMatchObject([{ status: 'success' }])
  })

  test('have the status that their payments imply', () => {
    for (const order of of('orders')) {
      const subOrders = by('sub_orders', 'order_id', order.order_id)
      expectStatus(
        order,
        by('payments', 'order_id', order.order_id),
        by('refunds', 'order_id', order.order_id),
      )
      expect(order.is_locked).toBe(order.status === 'locked')
      expect(order.expired_time !== null).toBe(order.status === 'expired')
      for (const subOrder of subOrders) {
        const paid = by('payments', 'sub_order_id', subOrder.sub_order_id)
        expect(subOrder.status).toBe(
          statusOfSubOrder(order.status, { ...noMoney, ...totalOf(subOrder), paid: received(paid) }),
        )
        expect(subOrder.completed_time).toBe(completion(subOrder, paid))
      }
      const paid = by('payments', 'order_id', order.order_id)
      expect(order.completed_time).toBe(completion(order, paid))
    }
  })

  test('refund at most the received money', () => {
    for (const key of ['order_id', 'sub_order_id', 'payment_id']) {
      for (const id of new Set(
        of('refunds')
          .map((refund) => refund[key])
          .filter(Boolean),
      )) {
        const returned = sum(by('refunds', key, id).map((refund) => refund.price))
        expect(returned).toBeLessThanOrEqual(received(by('payments', key, id)))
      }
    }
  })

  test('count payments of other currencies at their settled price, near the converted amount', () => {
    expect(of('payments').filter((payment) => payment.exchange_rate !== 10_000).length).toBeGreaterThan(20)
    for (const payment of of('payments')) {
      const [order] = by('orders', 'order_id', payment.order_id)
      const { price, currency, rate, settled_price, order_price } = payment
      const converted = convert(price, currency, order!.currency, String(rate))
      expect(order_price).toBe(settled_price ?? converted)
      expect(converted / order_price).toBeCloseTo(1, 1)
    }
  })

  test('were last modified by their last event, and count their events', () => {
    for (const [table, key] of [
      ['orders', 'order_id'],
      ['sub_orders', 'sub_order_id'],
    ] as const) {
      for (const row of of(table)) {
        const ledger = [...by('payments', key, row[key]), ...by('refunds', key, row[key])]
        const remarks = table === 'orders' ? by('order_remarks', key, row[key]) : []
        const moments = [
          ...ledger.map((event) => event.completed_time),
          ...remarks.map((remark) => remark.ctime),
        ]
        const moves = ['locked', 'canceled', 'expired'].includes(row.status) ? 1 : 0
        for (const moment of moments) {
          expect(time(moment)).toBeGreaterThan(time(row.ctime))
          expect(time(moment)).toBeLessThanOrEqual(time(row.mtime))
        }
        expect(row.version).toBe(1 + moments.length + moves)
        expect(time(row.mtime)).toBeLessThanOrEqual(time('2026-10-31T23:59:59+08:00'))
      }
    }
  })

  test('have far deadlines for unpaid parts, so that none expires during a demonstration', () => {
    const open = of('sub_orders').filter(({ status }) => expirableStatuses.includes(status))
    expect(open.length).toBeGreaterThan(80)
    for (const { payment_deadline } of open)
      expect(time(payment_deadline)).toBeGreaterThan(time('2036-01-01'))
  })

  test('refer to existing courses, batches and coupons', () => {
    for (const order of of('orders')) {
      const [course] = by('courses', 'course_id', order.course_id)
      expect(course).toMatchObject({ course_code: order.course_code, name: order.course_copy.course_name })
      const [batch] = by('batches', 'batch_id', order.course_copy.batch_id)
      expect(batch).toMatchObject({ course_id: order.course_id, name: order.course_copy.batch_name })
      for (const id of order.coupon_ids) expect(by('coupons', 'coupon_id', id)).toHaveLength(1)
    }
  })

  test('cost the listed price less their coupons', () => {
    for (const { listed_price, discounted_price, coupon_ids } of of('orders')) {
      const [coupon] = coupon_ids.flatMap((id: string) => by('coupons', 'coupon_id', id))
      expect(discounted_price).toBe(listed_price - basisPointsOf(listed_price, coupon?.basis_points ?? 0))
    }
  })

  test('have a first version with their present state, and a later ledger clock', () => {
    for (const order of of('orders')) {
      const [version] = by('order_versions', 'order_id', order.order_id)
      const { order_id, status, mtime } = order
      expect(version).toMatchObject({
        version: order.version,
        at: mtime,
        change: 'created',
        to_status: status,
      })
      // A version has a digest of the copied user data.
      const { user_copy: _, user_copy_salt: _salt, kept_copy_digest: _kept, ...recorded } = order
      expect(version!.record.order).toEqual(recorded)
      const subOrders = by('sub_orders', 'order_id', order_id).toSorted((a, b) => a.seq - b.seq)
      expect(version!.record.sub_orders).toEqual(subOrders)
    }
    const last = Math.max(...of('orders').map(({ mtime }) => time(mtime)))
    expect(of('ledger_clocks').map(({ instant_us }) => instant_us / 1000)).toEqual([last])
  })

  test('pass the check of the ledger', async () => {
    const { orders, total, discrepancies } = await checkLedger(sample.database.app)
    expect({ orders, total, discrepancies }).toEqual({ orders: 260, total: 0, discrepancies: [] })
  })

  test('were created after their users and leads', () => {
    for (const order of of('orders')) {
      const [user] = by('users', 'user_id', order.user_id)
      expect(time(user!.ctime)).toBeLessThanOrEqual(time(order.ctime))
      if (order.leads_id === null) continue
      const [lead] = by('leads', 'lead_id', order.leads_id)
      expect(lead).toMatchObject({ user_id: order.user_id })
      expect(time(lead!.ctime)).toBeLessThanOrEqual(time(order.ctime))
    }
  })
})

function received(payments: Row[]): number {
  return sum(payments.map((payment) => payment.order_price))
}

function totalOf({ total_price }: Row): { total_price: number } {
  return { total_price }
}

function expectStatus(order: Row, payments: Row[], refunds: Row[]): void {
  const paid = received(payments)
  const returned = sum(refunds.map((refund) => refund.price))
  if (['success', 'pending', 'created'].includes(order.status)) {
    expect(order.status).toBe(statusOfSubOrder(order.status, { ...noMoney, ...totalOf(order), paid }))
  }
  if (['tbd', 'unconfirmed'].includes(order.status)) expect(paid).toBe(0)
  if (order.status === 'canceled') expect(returned).toBe(paid)
  if (order.status === 'expired') expect(paid).toBe(0)
}

/** The time when the payments reached the total, if the status keeps it. A free order is complete from the start. */
function completion(row: Row, payments: Row[]): string | null {
  if (!['success', 'locked', 'canceled'].includes(row.status)) return null
  if (row.total_price === 0) return row.ctime
  let paid = 0
  for (const payment of payments.toSorted((a, b) => time(a.completed_time) - time(b.completed_time))) {
    paid += payment.order_price
    if (paid >= row.total_price) return payment.completed_time
  }
  return null
}
