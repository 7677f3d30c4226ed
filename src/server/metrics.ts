import type { Registry } from 'prom-client'
import { feedLagSeconds } from '../events/feed-lag.ts'
import type { Services } from './call.ts'
import type { Pages } from './pages/pages.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

/**
 * Prometheus metrics at /metrics: rates and latencies per operation, the pool, the process. No label holds personal data.
 * The library is loaded on first use, since it is a tenth of the modules of a process. Returns the metrics of this process.
 */
export function addMetrics(
  pages: Pages,
  services: Services,
  requests: RequestMetrics,
  unsent: UnsentBytes,
): () => Promise<Registry> {
  let created: Promise<Registry> | undefined
  const ownMetrics = () => {
    created ??= createRegistry(services, requests, unsent)
    return created
  }
  const readLag = createFeedLag(services)
  pages.get('/metrics', async () => {
    const registry = await ownMetrics()
    const own = await (services.metricsOfAll?.() ?? registry.metrics())
    const body = own + (services.metricsBeside?.() ?? '') + (await readLag())
    return { headers: { 'content-type': registry.contentType }, body }
  })
  return ownMetrics
}

/** A reading takes a statement per organization. */
const lagAgeMs = 10_000

/** The lag of the event feed as text of one process: a sum over processes would be wrong. Empty if it cannot be read. */
function createFeedLag({ db }: Services): () => Promise<string> {
  let read: Promise<string> | undefined
  let readAtMs = 0
  return () => {
    if (!read || performance.now() > readAtMs + lagAgeMs) {
      readAtMs = performance.now()
      read = feedLagSeconds(db).then(
        (
          seconds,
        ) => `# HELP ${lagName} Age of the oldest change that is not in the event feed yet, of all organizations
# TYPE ${lagName} gauge
${lagName} ${seconds}
`,
        () => '',
      )
    }
    return read
  }
}

const lagName = 'matricula_event_feed_lag_seconds'

async function createRegistry(
  { db }: Services,
  requests: RequestMetrics,
  unsent: UnsentBytes,
): Promise<Registry> {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // The registry takes any object with the members of a metric; the types ask for one of its classes.
  registry.registerMetric(requests.histogram as never)
  new Counter({
    name: 'matricula_requests_total',
    help: 'Requests answered, by operation and answered code (0 is success)',
    labelNames: ['operation', 'code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { operation, code, count } of requests.counts()) this.inc({ operation, code }, count)
    },
  })
  new Gauge({
    name: 'matricula_unsent_bytes',
    help: 'Bytes of responses that are reserved or wait to be read by their clients',
    registers: [registry],
    collect() {
      this.set(unsent.total())
    },
  })
  const readings: [state: string, read: () => number][] = [
    ['open', () => db.pool.totalCount],
    ['idle', () => db.pool.idleCount],
    ['waiting', () => db.pool.waitingCount],
  ]
  new Gauge({
    name: 'matricula_pool_connections',
    help: 'Database connections that are open or idle, and requests waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, read] of readings) this.set({ state }, read())
    },
  })
  return registry
}
