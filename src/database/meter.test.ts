import { expect, test } from 'vitest'
import { addTime, newCallTimes } from '../contract/call-times.ts'
import { beginBatch, createMeter, noteRoundTrip, summaryOfText } from './meter.ts'
import { locking, sql } from './sql.ts'

test.for([
  ['select a from users where corp_id = $1', 'select users'],
  ['with found as (select a from users) update orders set a = 1', 'update orders'],
  ['select a from users u where corp_id = $1 for no key update of u', 'select users'],
  ['insert into leads (a) values ($1) on conflict (a) do update set a = 2', 'insert leads'],
  ['delete from tags where corp_id = $1', 'delete tags'],
  ['select 1', 'select'],
])('%s is "%s"', ([text, summary]) => {
  expect(summaryOfText(text!)).toBe(summary)
})

test('a round trip that locks counts as a lock, others as statements', () => {
  const timing = { meter: createMeter(), times: { ...newCallTimes(), periods: [] } }
  noteRoundTrip(
    timing,
    [sql`select 1 from users`, sql`select 1 from users for update`],
    performance.now() - 30,
  )
  noteRoundTrip(timing, [locking(sql`insert into clocks values (1)`)], performance.now() - 20)
  noteRoundTrip(timing, [sql`select 1 from users for update skip locked`], performance.now() - 10)
  const { lock, statements, statementCount, periods } = timing.times
  expect([Math.floor(lock / 10), Math.floor(statements / 10), statementCount]).toEqual([5, 1, 4])
  expect(periods.map((each: { summary: string }) => each.summary)).toEqual([
    'select users and 1 more',
    'insert clocks',
    'select users',
  ])
  expect(timing.meter.locks.within.reduce((sum, count) => sum + count)).toBe(2)
  expect(timing.meter.statements.within.reduce((sum, count) => sum + count)).toBe(1)
})

test('the calls of a group share the times of the statement that answers them', () => {
  const meter = createMeter()
  const calls = [newCallTimes(), newCallTimes(), undefined].map((times) => ({
    asked: { on: { timing: { meter, times } } },
    askedAtMs: performance.now() - 5,
  }))
  const [first, second] = calls.map(({ asked }) => asked.on.timing.times)
  addTime(first!, 'statements', 0, 7)
  const end = beginBatch('read', calls)
  addTime(first!, 'connection', 0, 3)
  addTime(first!, 'statements', 3, 23)
  first!.statementCount += 2
  end()
  expect(first).toMatchObject({ connection: 3, statements: 27, statementCount: 2 })
  expect(second).toMatchObject({ connection: 3, statements: 20, statementCount: 2 })
  expect(second!.batch).toBeGreaterThanOrEqual(5)
  expect(meter.batches.read).toMatchObject({ sum: 3, within: [0, 0, 1, 0, 0, 0, 0, 0, 0] })
})
