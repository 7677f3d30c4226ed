import { pino } from 'pino'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { addEvents } from '../../src/events/add-events.ts'
import { DeliveryWorker } from '../../src/events/webhooks/deliver-events.ts'
import { createDeliveryCounts } from '../../src/events/webhooks/delivery-counts.ts'
import type { Sender } from '../../src/events/webhooks/send-delivery.ts'
import { testKeyring } from './keyring.ts'
import type { TestServer } from './server.ts'

/** Delivers the events of an organization, as a server does after a commit. The server of a test does not work in the background. */
export async function deliverWebhooks({ db }: TestServer, corp_id: string, sender: Sender): Promise<void> {
  await linkEntries(db, corp_id)
  await addEvents(db, corp_id)
  const worker = new DeliveryWorker({
    ...{ db, log: pino({ level: 'silent' }), keyring: testKeyring, sender },
    counts: createDeliveryCounts(),
  })
  await worker.look(corp_id)
  await worker.idle()
}
