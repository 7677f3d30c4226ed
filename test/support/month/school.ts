import { changeLimits } from '../../../src/orders/limits/manage-refund-limits.ts'
import { listPayers } from '../../../src/orders/payers/list-payers.ts'
import { createPayment } from '../../../src/orders/payments/create-payment.ts'
import { createUser } from '../../../src/people/users/create-user.ts'
import { updateUser } from '../../../src/people/users/update-user.ts'
import { type Counter, openCounter } from '../../harness/ledger.ts'
import type { TestServer } from '../../harness/server.ts'
import { hire } from '../../harness/staff.ts'
import { chargesOf, type Names } from './plan.ts'

/** A school with two people in its finance office, and an order of each student. */
export interface MonthSchool extends Counter {
  names: Names
  /** The day at the school. */
  today: string
  timeZone: string
  clerk: { email: string }
  approver: { email: string }
  orderOf(student: string): string
}

/** Ten students with an order of 12,000.00 in four instalments each. Refunds above 1,000.00 need a second approver. */
export async function openMonthSchool(server: TestServer, names: Names): Promise<MonthSchool> {
  const timeZone = zoneOfMorning(new Date())
  const counter = await openCounter(server, timeZone)
  const { corp_id } = counter
  await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 100_000 }, new Date())
  const orders = new Map<string, string>()
  for (const [index, name] of [...names.staff, ...names.children, ...names.scholars].entries()) {
    const { data } = await counter.call(createUser, {
      area_code: '86',
      mobile: String(13_900_139_000 + index),
    })
    const { user_id } = data
    await counter.call(updateUser, { user_id, name })
    const { order_id } = await counter.order({ user_id, listed_price: 1_200_000, installment_count: 4 })
    orders.set(name, order_id)
  }
  return {
    ...counter,
    ...{ names, timeZone, today: Temporal.Now.plainDateISO(timeZone).toString() },
    clerk: await hire(server, 'finance', corp_id),
    approver: await hire(server, 'finance', corp_id),
    orderOf: (student) => orders.get(student)!,
  }
}

/** A zone in which it is about ten in the morning, so that the day of the school does not end during the test. */
function zoneOfMorning(now: Date): string {
  const offset = ((10 - now.getUTCHours() + 36) % 24) - 12
  if (offset === 0) return 'Etc/GMT'
  // The names of these zones have the opposite sign.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

/** The school's own checkout reports the payments by card, with their payers. */
export async function reportCharges({ call, names, orderOf }: MonthSchool): Promise<void> {
  const { data } = await call(listPayers)
  const payerOf = (name: string) =>
    data.list.find((payer: { name: string }) => payer.name === name).payer_id as string
  for (const { charge_id, student, payer, price } of chargesOf(names)) {
    const answer = await call(createPayment, {
      ...{ order_id: orderOf(student), price, charge_id, provider: 'stripe', method: 'card' },
      ...{ source: 'payment_gateway', payer_id: payerOf(names[payer]) },
    })
    if (answer.data.applied !== true) throw new Error(`not applied: ${answer.msg}`)
  }
}

/** Lets the month end: it is the morning of the first day of the next one, for the server and the ledger. */
export async function startNextMonth(
  server: TestServer,
  { corp_id, today, timeZone }: MonthSchool,
): Promise<{ lastDay: string }> {
  const first = Temporal.PlainDate.from(today).with({ day: 1 }).add({ months: 1 })
  const morning = first.toZonedDateTime({ timeZone, plainTime: '09:00' }).epochMilliseconds
  await server.database.superuser.query(
    'update ledger_clocks set instant_us = $2 where corp_id = $1 and instant_us < $2',
    [corp_id, morning * 1000],
  )
  server.setNow(new Date(morning))
  return { lastDay: first.subtract({ days: 1 }).toString() }
}
