import { expect } from 'vitest'
import { sql } from '../../src/database/sql.ts'
import type { TestDatabase } from '../harness/database.ts'
import { waitUntil } from '../harness/process.ts'
import type { TestReceiver } from '../harness/receiver.ts'

/** An organization whose webhook sends all events to the receiver. */
interface Followed {
  corp_id: string
  endpoint_id: string
}

interface Written {
  orders: { corp_id: string; external_id: string }[]
  leads: { corp_id: string; entry_id: string }[]
}

/** The feed has every acknowledged write once and in order, the lists by change have it, and the receiver got all events. */
export async function expectFeed(
  { app }: TestDatabase,
  { corp_id, endpoint_id }: Followed,
  written: Written,
  receiver: TestReceiver,
): Promise<void> {
  const on = app.of(corp_id)
  const isOver = async () => {
    const [found] = await on.query<{ left: number }>(sql`
      select (select count(*) from audit_waiting w where w.corp_id = ${corp_id})
             + (select h.length from audit_heads h where h.corp_id = ${corp_id}) - f.linked
             + f.length - (select c.seq from webhook_cursors c
                            where c.corp_id = ${corp_id} and c.endpoint_id = ${endpoint_id})
             + (select count(*) from webhook_deliveries d
                 where d.corp_id = ${corp_id} and d.endpoint_id = ${endpoint_id} and d.state <> 'delivered') as left
        from event_feeds f where f.corp_id = ${corp_id}`)
    return Number(found?.left) === 0
  }
  // A connection that was cut leaves a lease behind, after whose end the delivery is repeated.
  expect(await waitUntil(isOver, 300_000)).toBe(true)

  const events = await on.query<{ seq: number; event_id: string; type: string; record_id: string }>(sql`
    select seq, event_id, type, record_id from events where corp_id = ${corp_id} order by seq`)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const told = new Map(events.map(({ type, record_id }) => [`${type} ${record_id}`, true]))
  const missing = [
    ...(
      await on.query<{ id: string; name: string }>(sql`
      select order_id as id, external_id as name from orders where corp_id = ${corp_id}`)
    ).filter(({ id }) => !told.has(`order.created ${id}`)),
    ...(
      await on.query<{ id: string; name: string }>(sql`
      select lead_id as id, entry_id as name from leads where corp_id = ${corp_id}`)
    ).filter(({ id }) => !told.has(`lead.created ${id}`)),
  ]
  expect(missing).toEqual([])
  const payments = events.filter(({ type }) => type === 'payment.recorded')
  const own = <Row extends { corp_id: string }>(rows: Row[]) => rows.filter((row) => row.corp_id === corp_id)
  expect(payments.length).toBeGreaterThanOrEqual(own(written.orders).length)

  const modified = await on.query<{ id: string }>(sql`
    select m.id from modified_records m where m.corp_id = ${corp_id} and m.list = 'leads'`)
  expect(modified.length).toBeGreaterThanOrEqual(own(written.leads).length)

  const sent = receiver.received.map(({ body }) => JSON.parse(body).data as { event_id: string; seq: number })
  const eventIds = new Set(events.map(({ event_id }) => event_id))
  const received = sent.filter(({ event_id }) => eventIds.has(event_id))
  const first = Math.min(...received.map(({ seq }) => seq))
  expect(new Set(received.map(({ event_id }) => event_id))).toEqual(
    new Set(events.filter(({ seq }) => seq >= first).map(({ event_id }) => event_id)),
  )
  console.log(
    `${events.length} events, ${received.length} deliveries of ${events.length - first + 1} since the webhook was made`,
  )
}
