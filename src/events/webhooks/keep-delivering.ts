import type { WaitingOrganizations } from '../../access/audit/keep-linking.ts'
import { type DeliveryOptions, DeliveryWorker } from './deliver-events.ts'

/** Interval of looking for work that another server left, while there is work and while there is none. */
const busyMs = 250
const idleMs = 2000
/** A report about an organization without a known endpoint is followed within this time: it may have a new one. */
const restMs = 1000
/** Several reports are followed together. */
const gatheringMs = 5
/** At the end, requests in flight get this time. */
const patienceMs = 3000

/**
 * Delivers webhooks until `signal` is aborted. `waiting` names organizations whose feeds grew on this server. Retries, and
 * work of servers that died, are found at intervals, with one statement for all organizations.
 */
export async function keepDelivering(
  options: DeliveryOptions,
  waiting: WaitingOrganizations,
  signal: AbortSignal,
): Promise<void> {
  const { log } = options
  const worker = new DeliveryWorker(options)
  const warn = (error: unknown, corp_id?: string) =>
    log.warn({ corp_id, err: error }, 'webhooks will be delivered later')
  let withEndpoints = new Set<string>()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let intervalMs = 0

  async function lookAtAll(): Promise<void> {
    lookedAtMs = performance.now()
    try {
      const { corpIds, isBusy } = await worker.lookAtAll()
      withEndpoints = corpIds
      intervalMs = isBusy ? busyMs : Math.min(2 * Math.max(intervalMs, busyMs), idleMs)
    } catch (error) {
      intervalMs = idleMs
      warn(error)
    }
  }

  while (!signal.aborted) {
    for (const corp_id of waiting.take())
      if (withEndpoints.has(corp_id)) await worker.look(corp_id).catch((error) => warn(error, corp_id))
      else intervalMs = Math.min(intervalMs, restMs)
    if (performance.now() >= lookedAtMs + intervalMs) await lookAtAll()
    await waiting.next(gatheringMs, busyMs, signal)
  }
  await worker.stop(patienceMs)
}
