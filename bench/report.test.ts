import { expect, test } from 'vitest'
import { compareFigures, figure } from './report.ts'

const verdicts = (...runs: Parameters<typeof compareFigures>) =>
  compareFigures(...runs).map(({ work, verdict }) => `${work}: ${verdict}`)

test('a lower rate, a longer time and more memory are worse, beyond the noise of 0.03', () => {
  const run = (scale: number) => [
    figure('list', 'ours ÷ plain', 2 * scale, '≥ 1.5'),
    figure('list for information', 'ours ÷ bare', 0.5 * scale, null),
    figure('scrolling', 'frames/s', 60 * scale, null),
    figure('start', 'seconds', 2 * scale, '≤ 3'),
    figure('heap', 'MB', 200 * scale, null),
  ]
  const rates = ['list', 'list for information', 'scrolling']
  const costs = ['start', 'heap']
  const all = (rate: string, cost: string) => [
    ...rates.map((work) => `${work}: ${rate}`),
    ...costs.map((work) => `${work}: ${cost}`),
  ]
  expect(verdicts(run(1), run(1.1))).toEqual(all('better', 'worse'))
  expect(verdicts(run(1), run(0.9))).toEqual(all('worse', 'better'))
  expect(verdicts(run(1), run(1.02))).toEqual(all('', ''))
})

test('rows are matched by work and ratio; a row of a single run is named', () => {
  const before = [figure('list', 'ours ÷ plain', 2, null), figure('old', 'MB', 1, null)]
  const after = [figure('new', 'MB', 1, null), figure('list', 'ours ÷ plain', 3, null)]
  expect(compareFigures(before, after)).toMatchObject([
    { work: 'list', before: 2, after: 3, change: 1.5, verdict: 'better' },
    { work: 'old', before: 1, after: undefined, verdict: 'gone' },
    { work: 'new', before: undefined, after: 1, verdict: 'new' },
  ])
})
