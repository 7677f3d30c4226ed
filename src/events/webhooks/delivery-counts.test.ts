import { expect, test } from 'vitest'
import { createDeliveryCounts, deliveryMetrics } from './delivery-counts.ts'

test('metrics name outcomes, and the endpoints that are furthest behind, up to a limit', () => {
  const counts = createDeliveryCounts()
  for (const outcome of ['delivered', 'timeout', 'delivered']) counts.add(outcome)
  for (let n = 0; n < 150; n++) counts.setLag(`endpoint-${n}`, n)
  counts.setLag('endpoint-149', 0)
  const lines = deliveryMetrics(counts).split('\n')
  expect(lines).toContain('matricula_webhook_attempts_total{outcome="delivered"} 2')
  expect(lines).toContain('matricula_webhook_attempts_total{outcome="timeout"} 1')
  const named = lines.filter((line) => line.startsWith('matricula_webhook_lag_events{'))
  expect(named).toHaveLength(100)
  expect(named[0]).toBe('matricula_webhook_lag_events{endpoint_id="endpoint-148"} 148')
})
