import { expect, test } from 'vitest'
import { isUnavailable } from './availability.ts'

const failure = (message: string, told: object) => Object.assign(new Error(message), told)
const inCopy = { code: 'XX000', routine: 'ReportCopyError' }

test('losing a cluster node during a COPY counts as unavailable; a refusal by a node during a COPY is a fault', () => {
  for (const message of [
    'terminating connection due to unexpected postmaster exit',
    'terminating connection due to administrator command',
    'server closed the connection unexpectedly',
    'the database system is shutting down',
  ])
    expect([message, isUnavailable(failure(message, inCopy))]).toEqual([message, true])
  expect(isUnavailable(failure('null value in column "rows" violates not-null constraint', inCopy))).toBe(
    false,
  )
  expect(isUnavailable(failure('terminating connection', { code: 'XX000', routine: 'other' }))).toBe(false)
})
