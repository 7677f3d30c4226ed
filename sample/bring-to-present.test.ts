import { expect, test } from 'vitest'
import { bringToPresent } from './bring-to-present.ts'
import { daySeconds, later, schoolDay } from './calendar.ts'
import { makeSample } from './load-sample.ts'

const days = ['2026-11-18T08:00:00Z', '2027-03-05T01:00:00Z', '2029-09-30T15:00:00Z'].map(
  (at) => new Date(at),
)

test('on any day the ids, names and amounts are the same', () => {
  const unmoved = makeSample()
  const steady = ({ users, leads, orders }: typeof unmoved) => ({
    users: users.map(({ user_id, name, email }) => [user_id, name, email]),
    leads: leads.map(({ lead_id, user_id }) => [lead_id, user_id]),
    orders: orders.orders.map(({ order_id, status, total_price }) => [order_id, status, total_price]),
    payments: orders.payments.map(({ payment_id, order_price }) => [payment_id, order_price]),
  })
  for (const now of days) expect(steady(bringToPresent(makeSample(), now))).toEqual(steady(unmoved))
})

test.each(days)('on %s it ends yesterday, and what is agreed lies ahead', (now) => {
  const { users, leads, orders, offerings, follow_ups } = bringToPresent(makeSample(), now)
  const yesterday = schoolDay(later(now, -daySeconds))
  const all = [...users, ...leads, ...orders.orders, ...orders.payments]
  const latest = new Date(Math.max(...all.map(({ ctime }) => (ctime as Date).getTime())))
  expect(schoolDay(latest) <= yesterday).toBe(true)
  expect(latest > later(now, -5 * daySeconds)).toBe(true)
  for (const { entry_id, ctime } of leads) expect(entry_id ?? schoolDay(ctime)).toContain(schoolDay(ctime))

  // The service expires overdue orders.
  const open = orders.sub_orders.filter(({ status }) => status === 'created' || status === 'pending')
  const deadlines = open.flatMap(({ payment_deadline }) => (payment_deadline as Date | null) ?? [])
  expect(deadlines.every((deadline) => deadline > later(now, daySeconds))).toBe(true)
  expect(deadlines.filter((deadline) => deadline < later(now, 7 * daySeconds)).length).toBeGreaterThan(3)

  const terms = [...new Set(offerings.batches.map(({ start_date }) => start_date))].toSorted()
  expect(terms).toHaveLength(5)
  expect(terms.at(-1)! > schoolDay(now) && terms.at(-2)! <= schoolDay(now)).toBe(true)
  const known = new Set(offerings.batches.map(({ batch_id }) => batch_id))
  for (const { course_copy } of orders.orders)
    expect(known.has((course_copy as { batch_id: string }).batch_id)).toBe(true)

  const calls = follow_ups.filter(({ next_at }) => next_at !== null && schoolDay(next_at) === schoolDay(now))
  expect(calls.length).toBeGreaterThan(2)
  expect(follow_ups.every(({ ctime }) => ctime < now)).toBe(true)
  const openCalls = follow_ups.filter(({ is_open }) => is_open).map(({ user_id }) => user_id)
  expect(new Set(openCalls).size).toBe(openCalls.length)
})
