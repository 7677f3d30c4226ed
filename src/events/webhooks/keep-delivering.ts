import type { WaitingOrganizations } from '../../access/audit/keep-linking.ts'
import { listOrganizations } from '../../access/organizations/organization-store.ts'
import { type DeliveryOptions, DeliveryWorker } from './deliver-events.ts'

/** Interval of looking for work that another server left, while there is work and while there is none. */
const busyMs = 250
const idleMs = 2000
/** The same for an organization without an endpoint. */
const withoutEndpointMs = 16_000
/** A report about such an organization is followed at most once in this time. */
const restMs = 1000
/** Several reports are followed together. */
const gatheringMs = 5
/** At the end, requests in flight get this time. */
const patienceMs = 3000

interface Looked {
  atMs: number
  hasEndpoints: boolean
  intervalMs: number
}

/**
 * Delivers webhooks until `signal` is aborted. `waiting` names organizations whose feeds grew on this server. Retries, and
 * work of servers that died, are found at intervals.
 */
export async function keepDelivering(
  options: DeliveryOptions,
  waiting: WaitingOrganizations,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = options
  const worker = new DeliveryWorker(options)
  const looked = new Map<string, Looked>()
  const later = new Set<string>()

  async function look(corp_id: string): Promise<void> {
    const before = looked.get(corp_id)
    try {
      const endpoints = await worker.look(corp_id)
      const isBusy = endpoints.some(({ is_due }) => is_due)
      const longestMs = endpoints.length > 0 ? idleMs : withoutEndpointMs
      const intervalMs = isBusy ? busyMs : Math.min(2 * (before?.intervalMs ?? busyMs), longestMs)
      looked.set(corp_id, { atMs: performance.now(), hasEndpoints: endpoints.length > 0, intervalMs })
    } catch (error) {
      looked.set(corp_id, { atMs: performance.now(), hasEndpoints: true, intervalMs: idleMs })
      log.warn({ corp_id, err: error }, 'webhooks will be delivered later')
    }
  }

  /** Without endpoints, a writer causes few looks. */
  function isResting(corp_id: string): boolean {
    const last = looked.get(corp_id)
    return last !== undefined && !last.hasEndpoints && performance.now() < last.atMs + restMs
  }

  let listedAtMs = Number.NEGATIVE_INFINITY
  let corpIds: string[] = []
  while (!signal.aborted) {
    for (const corp_id of waiting.take().concat([...later])) {
      later.delete(corp_id)
      if (isResting(corp_id)) later.add(corp_id)
      else await look(corp_id)
    }
    if (performance.now() > listedAtMs + idleMs) {
      corpIds = await listOrganizations(db.shared).then(
        (list) => list.map(({ corp_id }) => corp_id),
        () => corpIds,
      )
      listedAtMs = performance.now()
    }
    for (const corp_id of corpIds) {
      const { atMs, intervalMs } = looked.get(corp_id) ?? { atMs: 0, intervalMs: 0 }
      if (performance.now() >= atMs + intervalMs && !signal.aborted) await look(corp_id)
    }
    await waiting.next(gatheringMs, busyMs, signal)
  }
  await worker.stop(patienceMs)
}
