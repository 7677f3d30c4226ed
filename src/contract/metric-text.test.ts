import { expect, test } from 'vitest'
import { metricText } from './metric-text.ts'

test('labels are escaped, infinity has its sign, and a metric without samples is left out', () => {
  const samples = [{ labels: { a: 'b"\\\n', n: 1 }, value: 0.25 }, { value: Number.POSITIVE_INFINITY }]
  const text = metricText([
    { name: 'x', help: 'An x', type: 'gauge', samples },
    { name: 'y', help: 'A y', type: 'gauge', samples: [] },
  ])
  expect(text).toBe('# HELP x An x\n# TYPE x gauge\nx{a="b\\"\\\\\\n",n="1"} 0.25\nx +Inf\n')
})
