import { setTimeout as pause } from 'node:timers/promises'
import { findOrganizations } from '../organizations/organization-store.ts'
import { deliverMails, type MailWork } from './deliver-mails.ts'
import { findCorpIdsWithDueMails } from './mail-store.ts'

const usualIntervalMs = 2000
/** Alerts are not urgent. */
const alertIntervalMs = 60_000
/** A slow mail server must not delay the mails of one school behind those of all others. */
const concurrency = 4

interface Mailing extends MailWork {
  /** Puts alerts into the outbox. */
  queueAlerts(now: Date): Promise<void>
  intervalMs?: number
}

/**
 * Sends mails until `signal` is aborted. Several servers may do so at the same time. Without a due mail, a round is one
 * statement for all organizations.
 */
export async function keepMailing(
  { queueAlerts, intervalMs = usualIntervalMs, ...work }: Mailing,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = work
  let alertedAtMs = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      if (performance.now() >= alertedAtMs + alertIntervalMs) {
        alertedAtMs = performance.now()
        await queueAlerts(new Date())
      }
      const due = await findCorpIdsWithDueMails(db.everyOrganization, new Date())
      const found = due.length > 0 ? await findOrganizations(db.shared, due) : []
      const left = found.filter(({ is_suspended }) => !is_suspended).values()
      const deliverRest = async () => {
        for (const { corp_id } of left)
          await deliverMails(work, corp_id, signal).catch((error) =>
            log.warn({ corp_id, err: error }, 'mails will be sent later'),
          )
      }
      await Promise.all(Array.from({ length: concurrency }, deliverRest))
    } catch (error) {
      log.warn({ err: error }, 'mails will be sent later')
    }
    await pause(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}
