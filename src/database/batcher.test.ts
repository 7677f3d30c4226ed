import { expect, test } from 'vitest'
import { type BatchedCall, type BatcherClock, createBatcher } from './batcher.ts'

/** A manual clock, so that no test depends on the speed of the machine. */
function manualClock() {
  let nowMs = 0
  let turns: (() => void)[] = []
  let timers: { atMs: number; run(): void }[] = []
  const clock: BatcherClock = {
    nowMs: () => nowMs,
    nextTurn: () => new Promise<void>((resolve) => turns.push(resolve)),
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  }
  return {
    clock,
    /** One turn of the event loop. */
    async turn() {
      const due = turns
      turns = []
      for (const resolve of due) resolve()
      await microtasks()
    },
    async advance(ms: number) {
      nowMs += ms
      const due = timers.filter(({ atMs }) => atMs <= nowMs)
      timers = timers.filter((timer) => !due.includes(timer))
      for (const { run } of due) run()
      await microtasks()
    },
  }
}

/** All microtasks run before the real event loop turns. */
const microtasks = () => new Promise(setImmediate)

/** Groups are held until they are released. Each call gets its own value back. */
function heldBatcher({ maxCalls, maxGroups }: { maxCalls: number; maxGroups: number }) {
  const time = manualClock()
  const groups: number[][] = []
  const held: (() => void)[] = []
  const serve = async (calls: BatchedCall<number, number>[]) => {
    groups.push(calls.map(({ asked }) => asked))
    await new Promise<void>((resolve) => held.push(resolve))
    for (const { asked, resolve } of calls) resolve(asked)
  }
  const ask = createBatcher({ maxCalls, maxGroups, serve, clock: time.clock })
  /** A group is served after a turn that brings no calls. */
  const quietTurns = async () => {
    await time.turn()
    await time.turn()
  }
  const release = async () => {
    for (const each of held.splice(0)) each()
    await microtasks()
  }
  return { ask, groups, release, quietTurns, ...time }
}

test('a key with too many waiting calls refuses further ones at once; another key does not', async () => {
  const { ask, groups, release, turn } = heldBatcher({ maxCalls: 1000, maxGroups: 2 })
  const waiting = Array.from({ length: 2000 }, (_, n) => ask('school', n))
  await expect(ask('school', 0)).rejects.toMatchObject({ code: 50301 })
  const other = ask('another', 1)
  await turn()
  expect(groups.map(({ length }) => length)).toEqual([1000, 1, 1000])
  await release()
  expect(await other).toBe(1)
  expect(await Promise.all(waiting)).toHaveLength(2000)
})

test('a call behind a group that hangs is refused in time, and the group continues', async () => {
  const { ask, release, turn, advance } = heldBatcher({ maxCalls: 1, maxGroups: 2 })
  const hanging = [0, 1].map((n) => ask('school', n))
  await turn()
  const waiting = expect(ask('school', 2, 1200)).rejects.toMatchObject({ code: 50301 })
  for (let ms = 0; ms <= 1200; ms += 240) await advance(240)
  await waiting
  await release()
  expect(await Promise.all(hanging)).toEqual([0, 1])
})

test('calls may wait fifteen seconds while their line is served', async () => {
  const { ask, release, turn, advance } = heldBatcher({ maxCalls: 1, maxGroups: 1 })
  const calls = Promise.allSettled(Array.from({ length: 15 }, (_, n) => ask('school', n, 1200)))
  for (let n = 0; n < 14; n++) {
    await turn()
    await advance(1100)
    await release()
  }
  const outcomes = (await calls).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code))
  expect(outcomes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 50301])
})

test('calls of successive turns of the event loop form one group', async () => {
  const { ask, groups, turn } = heldBatcher({ maxCalls: 64, maxGroups: 2 })
  for (let n = 0; n < 10; n += 2) {
    void ask('school', n)
    void ask('school', n + 1)
    await turn()
  }
  await turn()
  expect(groups).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
})

test('a group gathers for eight turns at most', async () => {
  const { ask, groups, turn } = heldBatcher({ maxCalls: 64, maxGroups: 1 })
  for (let n = 0; n < 60; n += 2) {
    void ask('school', n)
    void ask('school', n + 1)
    await turn()
  }
  expect(groups).toEqual([Array.from({ length: 16 }, (_, n) => n)])
})

test('after a slow group, callers that were answered and call again join the next group', async () => {
  const { ask, groups, quietTurns, release, advance } = heldBatcher({ maxCalls: 64, maxGroups: 1 })
  const askAll = (callers: number[]) => callers.map((n) => ask('school', n))
  askAll([0])
  await quietTurns()
  askAll([1, 2, 3])
  // A lone call does not linger after any duration.
  await advance(20)
  await release()
  await quietTurns()
  expect(groups).toEqual([[0], [1, 2, 3]])
  askAll([0])
  await advance(20)
  await release()
  await quietTurns()
  expect(groups).toHaveLength(2)
  // The runner lingers for a tenth of 20 ms, so the other three can join.
  askAll([1, 2, 3])
  await advance(2)
  await quietTurns()
  expect(groups.at(-1)).toEqual([0, 1, 2, 3])
})

test('after a fast group, the next one starts at once', async () => {
  const { ask, groups, quietTurns, release } = heldBatcher({ maxCalls: 64, maxGroups: 1 })
  for (const n of [0, 1]) void ask('school', n)
  await quietTurns()
  void ask('school', 2)
  await release()
  await quietTurns()
  expect(groups).toEqual([[0, 1], [2]])
})
