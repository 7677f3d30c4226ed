import type { Exchange, Row } from '../caller.ts'
import { expect, expectEqual } from '../check.ts'
import { shortOf } from '../kit.ts'

/** The form that Matricula gives every failure: status, code, msg, request_id and errors. */
export function expectFailure(exchange: Exchange, code: number, params?: string[]): void {
  const status = Math.floor(code / 100)
  expect(exchange.code === code, `code ${code}`, shortOf(exchange), exchange)
  expectEqual(exchange.status, status, 'HTTP status', exchange)
  expect(typeof exchange.msg === 'string' && exchange.msg !== '', 'msg: a sentence', exchange.msg, exchange)
  const { data } = exchange
  expect(
    typeof data?.request_id === 'string' && data.request_id !== '',
    'data.request_id: String',
    shortOf(exchange),
    exchange,
  )
  expectEqual(
    data.request_id,
    exchange.headers.get('x-request-id'),
    'data.request_id, as in X-Request-Id:',
    exchange,
  )
  const areFaults =
    Array.isArray(data.errors) &&
    data.errors.every((fault: Row) => typeof fault?.param === 'string' && typeof fault.reason === 'string')
  expect(areFaults, 'data.errors: a List of { param, reason }', data.errors, exchange)
  if (params) expectEqual(faultyParameters(exchange), params, 'data.errors names', exchange)
}

export function faultyParameters({ data }: Exchange): string[] {
  return (data?.errors ?? []).map(({ param }: { param: string }) => param)
}
