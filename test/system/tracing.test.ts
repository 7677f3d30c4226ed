import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, settledDataDir, startService } from '../harness/process.ts'

let collector: Server
const received: string[] = []
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push(text)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
})
afterAll(async () => {
  await cleanUp()
  collector.close()
})

test('both workers send their traces, the last ones when the server stops', async () => {
  const { port } = collector.address() as AddressInfo
  const service = startService({
    MATRICULA_DATA: await settledDataDir(),
    MATRICULA_WORKERS: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'admissions',
  })
  const url = await service.ready
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, connection: 'close' }
  // One connection per call, so that the system spreads them over the workers.
  const calls = Array.from({ length: 40 }, () => fetch(`${url}/api/v5/authentication/verify`, { headers }))
  for (const call of calls) expect((await call).headers.get('traceparent')).toContain(traceId)
  await service.stop()
  const text = received.join('\n')
  expect(
    text.match(/"name":"verifyToken"|"parentSpanId":"00f067aa0ba902b7"/g)?.length,
  ).toBeGreaterThanOrEqual(40)
  expect(new Set(text.match(/"process\.pid","value":\{"intValue":\d+\}/g)).size).toBe(2)
})
