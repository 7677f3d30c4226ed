import { daySeconds, endOfSchoolDay, lastMoment, later, schoolDay } from './calendar.ts'
import type { Sample } from './load-sample.ts'
import { nextBatch, programs, termsAround } from './programs.ts'
import { makeFollowUps } from './sample-follow-ups.ts'
import { makeOfferings } from './sample-offerings.ts'

/**
 * Moves the sample by whole days, so that it ends yesterday: every screen has something of this month, this week and today.
 * Ids, names and amounts stay. It also creates future follow-ups and deadlines.
 */
export function bringToPresent(sample: Sample, now: Date): Sample {
  const { users, tags, leads, orders } = sample
  const lastDay = Temporal.PlainDate.from(schoolDay(lastMoment))
  const yesterday = Temporal.PlainDate.from(schoolDay(later(now, -daySeconds)))
  // With a wrong clock, the sample is not moved.
  const seconds = Math.max(0, lastDay.until(yesterday).days) * daySeconds
  const move = <Row extends object>(rows: Row[]) => rows.map((row) => moved(row, seconds))
  const terms = termsAround(later(lastMoment, seconds))
  const people = move(users)
  return {
    users: people,
    tags: { groups: move(tags.groups), tags: move(tags.tags) },
    leads: move(leads).map(renamed),
    offerings: makeOfferings(terms),
    orders: {
      orders: move(orders.orders).map((order) => inTerm(order, terms)),
      sub_orders: move(orders.sub_orders).map((part, index) => due(part, index, now)),
      payments: move(orders.payments),
      refunds: move(orders.refunds),
      order_remarks: move(orders.order_remarks),
    },
    follow_ups: makeFollowUps(people, now),
  }
}

function moved<Row extends object>(row: Row, seconds: number): Row {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? later(value, seconds) : value,
  ])
  return Object.fromEntries(entries) as Row
}

/** Entries and campaigns of leads carry the day in their names. */
function renamed<Lead extends Sample['leads'][number]>(lead: Lead): Lead {
  const day = schoolDay(lead.ctime)
  const entry_id = lead.entry_id?.replace(/\d{4}-\d{2}-\d{2}/, day) ?? null
  const campaign = String(lead.fields.campaign).replace(/\d{4}-\d{2}$/, day.slice(0, 7))
  const fields = { ...lead.fields, campaign, utm_campaign: campaign, ...(entry_id && { entry_id }) }
  return { ...lead, entry_id, fields }
}

/** The batch that starts first after the order. */
function inTerm<Order extends Sample['orders']['orders'][number]>(order: Order, terms: string[]): Order {
  const program = programs.find(({ course_code }) => course_code === order.course_code)!
  const { copy, ...times } = nextBatch(program, order.ctime as Date, terms)
  const contract_id = order.contract_id?.replace(/\d{4}/, schoolDay(order.ctime as Date).slice(0, 4)) ?? null
  return { ...order, ...times, contract_id, course_copy: { ...order.course_copy, ...copy } }
}

/** A deadline in several years moves to the next months, the first one to this week. The order of the parts stays. */
function due<Part extends Sample['orders']['sub_orders'][number]>(
  part: Part,
  index: number,
  now: Date,
): Part {
  const deadline = part.payment_deadline as Date | null
  if (deadline === null || deadline < later(now, 3 * 365 * daySeconds)) return part
  const days = 2 + ((index * 11) % 45) + ((part.seq as number) - 1) * 60
  return { ...part, payment_deadline: endOfSchoolDay(later(now, days * daySeconds)) }
}
