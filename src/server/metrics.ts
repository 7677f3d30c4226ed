import type { Registry } from 'prom-client'
import { metricText } from '../contract/metric-text.ts'
import { serviceVersion } from '../contract/service-version.ts'
import type { Services } from './call.ts'
import { addDatabaseMetrics } from './database-metrics.ts'
import { createInstallationMetrics, replicaLags } from './installation-metrics.ts'
import type { Pages } from './pages/pages.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

interface MetricSources {
  requests: RequestMetrics
  unsent: UnsentBytes
  /** Schools have metrics of their own if there are at most this many. */
  mostSchools: number
}

/**
 * Prometheus metrics at /metrics: rates and latencies per operation, the database, the process, the installation. No label
 * holds personal data. The library is loaded on first use, since it is a tenth of the modules of a process. Returns the
 * metrics of this process.
 */
export function addMetrics(
  pages: Pages,
  services: Services,
  sources: MetricSources,
): () => Promise<Registry> {
  let created: Promise<Registry> | undefined
  const ownMetrics = () => {
    created ??= createRegistry(services, sources)
    return created
  }
  const { db, now } = services
  const readInstallation = createInstallationMetrics({ db, now, mostSchools: sources.mostSchools })
  pages.get('/metrics', async () => {
    const registry = await ownMetrics()
    const texts = await Promise.all([
      services.metricsOfAll?.() ?? registry.metrics(),
      services.metricsBeside?.() ?? '',
      readInstallation(),
    ])
    const body = texts.join('') + replicaLags(services) + buildInfo(services)
    return { headers: { 'content-type': registry.contentType }, body }
  })
  return ownMetrics
}

/** The value is always 1: the labels tell which version answers. */
function buildInfo({ wantedSchema }: Services): string {
  const labels = { version: serviceVersion, node: process.version, schema: wantedSchema }
  const help = 'The version of the service and of Node, and the schema that it needs'
  return metricText([{ name: 'matricula_build_info', help, type: 'gauge', samples: [{ labels, value: 1 }] }])
}

const misnamedGauges = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

async function createRegistry({ db }: Services, { requests, unsent }: MetricSources): Promise<Registry> {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // The suffix `_total` is reserved for counters. These are sums of gauges.
  for (const name of misnamedGauges) registry.removeSingleMetric(name)
  // The registry accepts any object with the members of a metric. Its types demand one of its classes.
  registry.registerMetric(requests.histogram as never)
  addDatabaseMetrics(registry, db.meter)
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
    ['waiting', () => db.waiting()],
  ]
  new Gauge({
    name: 'matricula_pool_connections',
    help: 'Database connections that are open or idle, and work waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, read] of readings) this.set({ state }, read())
    },
  })
  return registry
}
