import { expect, test } from 'vitest'
import { newSpanId, readTraceparent, writeTraceparent } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.for([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  // Bits that a later version may define say nothing about recording.
  [`00-${traceId}-${spanId}-fe`, false],
  [`00-${traceId}-${spanId}-03`, true],
  // A later version keeps the four fields.
  [`cc-${traceId}-${spanId}-01-what-the-future-holds`, true],
] as const)('%s is a trace', ([header, isSampled]) => {
  expect(readTraceparent(header)).toEqual({ traceId, spanId, isSampled })
})

test.for([
  [undefined],
  [''],
  [`00-${traceId}-${spanId}`],
  [`00-${traceId}-${spanId}-01-more`],
  [`ff-${traceId}-${spanId}-01`],
  [`00-${'0'.repeat(32)}-${spanId}-01`],
  [`00-${traceId}-${'0'.repeat(16)}-01`],
  [`00-${traceId.toUpperCase()}-${spanId}-01`],
  [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  [`01-${traceId}-${spanId}-01-${'x'.repeat(1000)}`],
])('%s is ignored', ([header]) => {
  expect(readTraceparent(header)).toBeUndefined()
})

test('a trace is written as it is read', () => {
  const parent = { traceId, spanId: newSpanId(), isSampled: true }
  expect(readTraceparent(writeTraceparent(parent))).toEqual(parent)
})
