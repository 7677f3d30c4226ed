import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Pages } from './pages/pages.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { Services } from './services.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

/** Prometheus metrics at /metrics: rates and latencies per operation, the pool, the process. No label ever holds data. */
export function addMetrics(
  pages: Pages,
  services: Services,
  requests: RequestMetrics,
  unsent: UnsentBytes,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
    help: 'Bytes of answers that wait for their readers, or are set aside for pages being read',
    registers: [registry],
    collect() {
      this.set(unsent.total())
    },
  })
  watchPool(registry, services)

  pages.get('/metrics', async () => ({
    headers: { 'content-type': registry.contentType },
    body: await (services.metricsOfAll?.() ?? registry.metrics()),
  }))
  return registry
}

function watchPool(registry: Registry, { db }: Services): void {
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
}
