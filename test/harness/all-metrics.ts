import { backupText } from '../../src/backup/backup-metrics.ts'
import { createDeliveryCounts, deliveryMetrics } from '../../src/events/webhooks/delivery-counts.ts'
import { createJobCounts } from '../../src/job-counts.ts'
import { jobNames } from '../../src/maintenance.ts'
import { replicaLags } from '../../src/server/installation-metrics.ts'

/** All metrics of a server with replicas, webhooks, background work and a backup. */
export async function readAllMetrics(url: string): Promise<string> {
  await fetch(`${url}/healthz`)
  const counts = createDeliveryCounts()
  counts.add('delivered')
  counts.setLag('endpoint', 1)
  const jobs = createJobCounts(jobNames)
  await jobs.run('maintenance', async () => undefined)
  const served = await (await fetch(`${url}/metrics`)).text()
  const replicas = { lagsMs: () => [250, Number.POSITIVE_INFINITY] }
  const backup = backupText('2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z')
  return served + deliveryMetrics(counts) + jobs.metrics() + replicaLags({ replicas }) + backup
}

/** The types of the metrics in a text, by name. */
export function metricTypes(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
}
