import type { Registry } from 'prom-client'
import type { Meter } from '../database/meter.ts'
import { histogramMetric } from './histogram-metric.ts'

/** Waits for the database and its round trips, in the registry of a process. */
export function addDatabaseMetrics(registry: Registry, meter: Meter): void {
  const { connections, turns, locks, statements, batches } = meter
  const metrics = [
    histogramMetric({
      name: 'matricula_connection_wait_seconds',
      help: 'Time that work waited for a database connection',
      series: () => [{ labels: {}, histogram: connections }],
    }),
    histogramMetric({
      name: 'matricula_turn_wait_seconds',
      help: 'Time that transactions waited for a turn among the writers of their organization',
      series: () => [{ labels: {}, histogram: turns }],
    }),
    histogramMetric({
      name: 'matricula_round_trip_seconds',
      help: 'Time of round trips to the database: those that lock records, and others',
      series: () => [
        { labels: { kind: 'lock' }, histogram: locks },
        { labels: { kind: 'other' }, histogram: statements },
      ],
    }),
    histogramMetric({
      name: 'matricula_batch_calls',
      help: 'Calls that share one statement, by kind of the statement',
      series: () => Object.entries(batches).map(([kind, histogram]) => ({ labels: { kind }, histogram })),
    }),
  ]
  // The registry accepts any object with the members of a metric. Its types demand one of its classes.
  for (const metric of metrics) registry.registerMetric(metric as never)
}
