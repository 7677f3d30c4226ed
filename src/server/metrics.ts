import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { NoteAnswer } from './request-log.ts'
import { createAnswerTimes } from './request-metrics.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of this process. */
    metrics: Registry
  }
}

/**
 * Prometheus metrics at /metrics: rates and latencies per operation, the pool, the process. No label ever holds data.
 * Returns what counts an answer.
 */
export function addMetrics(app: FastifyInstance, services: Services): NoteAnswer {
  const registry = new Registry()
  app.decorate('metrics', registry)
  collectDefaultMetrics({ register: registry })
  const times = createAnswerTimes()
  registry.registerMetric(times.histogram as never)
  new Counter({
    name: 'matricula_requests_total',
    help: 'Requests answered, by operation and answered code (0 is success)',
    labelNames: ['operation', 'code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { operation, code, count } of times.counts()) this.inc({ operation, code }, count)
    },
  })
  watchPool(registry, services)

  app.get('/metrics', async (_request, reply) => {
    reply.header('Content-Type', registry.contentType)
    return services.metricsOfAll?.() ?? registry.metrics()
  })
  return times.note
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
