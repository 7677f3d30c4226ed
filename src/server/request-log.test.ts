import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { createRequestLog, type RequestLogEntry } from './request-log.ts'

const entry: RequestLogEntry = {
  request_id: 'a1.b-2_c',
  trace_id: undefined,
  operation: 'fetchOrder',
  route: undefined,
  method: 'GET',
  status: 200,
  code: 0,
  app_id: 'an "app"\n\\ of 王',
  ms: 12.3456,
}

test('a line is the same as one of the log itself', () => {
  const written: string[] = []
  const log = createLog('info', { write: (line) => void written.push(line) }).child({ worker: 3 })
  const entries = [
    entry,
    { ...entry, operation: undefined, route: '/healthz', app_id: undefined, ms: 0.04 },
    { ...entry, operation: undefined, route: undefined, status: 404, code: 40404 },
    { ...entry, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' },
  ]
  const requests = createRequestLog(log)
  for (const each of entries) {
    requests.note(each)
    const { operation, route, ms, ...rest } = each
    log.info({ operation: operation ?? route ?? 'unknown', ...rest, ms: Math.round(ms * 10) / 10 }, 'request')
  }
  requests.close()
  const own = written.pop()!.split('\n').slice(0, -1)
  const withoutTime = (line: string) => line.trimEnd().replace(/"time":"[\d-]{10}T[\d:.]{12}Z"/, '')
  expect(own.map(withoutTime)).toEqual(written.map(withoutTime))
})

test('times are exact, across seconds and years', () => {
  const written: string[] = []
  const requests = createRequestLog(createLog('info', { write: (line) => void written.push(line) }))
  const before = Date.now()
  requests.note(entry)
  requests.close()
  const { time } = JSON.parse(written[0]!)
  expect(new Date(time).toISOString()).toBe(time)
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
})

test('nothing is written at a level above that of requests', () => {
  const written: string[] = []
  const requests = createRequestLog(createLog('warn', { write: (line) => void written.push(line) }))
  requests.note(entry)
  requests.close()
  expect(written).toEqual([])
})
