import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BatchedCall, createBatcher } from './batcher.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Serves nothing before it is let; echoes what was asked. */
function heldBatcher(most: number) {
  const gate = Promise.withResolvers<void>()
  const groups: number[][] = []
  const serve = async (calls: BatchedCall<number, number>[]) => {
    groups.push(calls.map(({ asked }) => asked))
    await gate.promise
    for (const { asked, resolve } of calls) resolve(asked)
  }
  const ask = createBatcher(most, serve, 2)
  return { ask, groups, open: gate.resolve }
}

const nextTurn = () => new Promise(setImmediate)

test('a thing on which too many wait refuses further calls at once; another thing does not', async () => {
  const { ask, open } = heldBatcher(1)
  const waiting = Array.from({ length: 2000 }, (_, n) => ask('school', n))
  await expect(ask('school', 0)).rejects.toMatchObject({ code: 50301 })
  const other = ask('another', 1)
  open()
  expect(await other).toBe(1)
  expect(await Promise.all(waiting)).toHaveLength(2000)
})

test('who waits behind a group that is stuck is told without it, and the group goes on', async () => {
  const { ask, open } = heldBatcher(1)
  const stuck = [0, 1].map((n) => ask('school', n))
  await nextTurn()
  const waiting = ask('school', 2, 1200)
  vi.advanceTimersByTime(1201)
  await expect(waiting).rejects.toMatchObject({ code: 50301 })
  open()
  expect(await Promise.all(stuck)).toEqual([0, 1])
})

test('a line that moves may be waited in, for fifteen seconds', async () => {
  const groups: (() => void)[] = []
  const serve = async ([call]: BatchedCall<number, number>[]) => {
    await new Promise<void>((resolve) => groups.push(resolve))
    call!.resolve(call!.asked)
  }
  const ask = createBatcher(1, serve, 1)
  const calls = Promise.allSettled(Array.from({ length: 15 }, (_, n) => ask('school', n, 1200)))
  for (let n = 0; n < 14; n++) {
    while (groups.length <= n) await nextTurn()
    vi.advanceTimersByTime(1100)
    groups[n]!()
  }
  const outcomes = (await calls).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code))
  expect(outcomes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 50301])
})

test('calls go together that come in turns of the event loop right behind each other', async () => {
  const { ask, groups, open } = heldBatcher(64)
  open()
  const calls: Promise<number>[] = []
  for (let n = 0; n < 10; n += 2) {
    calls.push(ask('school', n), ask('school', n + 1))
    await nextTurn()
  }
  await Promise.all(calls)
  expect(groups).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
})

test('a group does not wait for ever: others come all the time', async () => {
  const { ask, groups, open } = heldBatcher(64)
  open()
  const calls: Promise<number>[] = []
  for (let n = 0; n < 60; n += 2) {
    calls.push(ask('school', n), ask('school', n + 1))
    await nextTurn()
  }
  await Promise.all(calls)
  expect(groups[0]!.length).toBeLessThan(20)
})

test('who is answered and asks again comes along with the next group, if groups take long', async () => {
  const groups: number[] = []
  const serve = async (calls: BatchedCall<number, number>[]) => {
    groups.push(calls.length)
    await nextTurn()
    vi.advanceTimersByTime(20)
    for (const { asked, resolve } of calls) resolve(asked)
  }
  const ask = createBatcher(64, serve, 1)
  const caller = async (n: number) => {
    for (let call = 0; call < 5; call++) {
      await ask('school', n)
      for (let turn = 0; turn < 4; turn++) await nextTurn()
    }
  }
  const first = caller(0)
  while (groups.length === 0) await nextTurn()
  await Promise.all([first, ...Array.from({ length: 7 }, (_, n) => caller(n + 1))])
  expect(groups).toEqual([1, 7, 8, 8, 8, 8])
})
