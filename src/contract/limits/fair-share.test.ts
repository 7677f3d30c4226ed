import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFairShare, type FairShare } from './fair-share.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Takes places until none is free. Returns their number. */
function takeAll(share: FairShare, who: string, most = 100): number {
  let taken = 0
  while (taken < most && share.enter(who) === undefined) taken++
  return taken
}

describe('ten places, one of them reserved', () => {
  const ofTen = () => createFairShare({ places: 10, favoured: 'all' })

  test('one key gets half, the next one half of the rest, and a fourth one still gets a place', () => {
    const share = ofTen()
    expect(['a', 'b', 'c', 'd'].map((who) => takeAll(share, who))).toEqual([5, 2, 1, 1])
    expect(takeAll(share, 'e')).toBe(0)
  })

  test('the favoured key gets a place when all others are taken', () => {
    const share = ofTen()
    for (const who of ['a', 'b', 'c', 'd', 'e']) takeAll(share, who)
    expect(takeAll(share, 'all')).toBe(1)
  })

  test('the favoured key cannot take all places', () => {
    const share = ofTen()
    expect(takeAll(share, 'all')).toBe(5)
    expect(takeAll(share, 'a')).toBe(3)
  })
})

test('a single place serves all keys', async () => {
  const share = createFairShare({ places: 1, favoured: 'all' })
  expect(share.enter('a')).toBeUndefined()
  const order: string[] = []
  const waiting = ['all', 'b'].map(async (who) => {
    await share.enter(who)
    order.push(who)
    share.leave(who)
  })
  share.leave('a')
  await Promise.all(waiting)
  expect(order).toEqual(['all', 'b'])
})

test('queues are served round-robin, and each in the order of arrival', async () => {
  const share = createFairShare({ places: 1 })
  share.enter('a')
  const order: string[] = []
  const waiting = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
    await share.enter(name[0]!)
    order.push(name)
    share.leave(name[0]!)
  })
  share.leave('a')
  await Promise.all(waiting)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a full queue refuses at once with 50301 and Retry-After; other queues do not', () => {
  const share = createFairShare({ places: 1, mostWaiting: 3 })
  share.enter('a')
  for (let n = 0; n < 3; n++) share.enter('a')?.catch(() => undefined)
  expect(() => share.enter('a')).toThrow(expect.objectContaining({ code: 50301 }))
  expect(() => share.enter('a')).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ retryAfterSeconds: 2 }) }),
  )
  expect(share.enter('b')).toBeInstanceOf(Promise)
})

test('a waiter that times out is refused, and takes no place afterwards', async () => {
  const share = createFairShare({ places: 1, longestWaitMs: 1000 })
  share.enter('a')
  const early = share.enter('b')!
  vi.advanceTimersByTime(500)
  const late = share.enter('b')!
  const refused = expect(early).rejects.toMatchObject({ code: 50301 })
  vi.advanceTimersByTime(500)
  await refused
  share.leave('a')
  await late
  share.leave('b')
  expect(share.enter('c')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('closing refuses waiting and later callers; holders may still release their places', async () => {
  const share = createFairShare({ places: 1 })
  share.enter('a')
  const waiting = ['a', 'b'].map((who) => share.enter(who)!)
  const refused = waiting.map((each) => expect(each).rejects.toMatchObject({ code: 50301 }))
  share.close()
  await Promise.all(refused)
  expect(() => share.enter('c')).toThrow(expect.objectContaining({ code: 50301 }))
  share.leave('a')
  expect(vi.getTimerCount()).toBe(0)
})

test('in any sequence of entries and exits, no place is given twice, none is lost, and no waiting key is skipped', async () => {
  const names = ['a', 'b', 'c', 'all']
  const steps = fc.array(fc.tuple(fc.constantFrom('enter', 'leave'), fc.constantFrom(...names)), {
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), steps, async (places, played) => {
      const share = createFairShare({ places, favoured: 'all' })
      const held: Record<string, number> = { a: 0, b: 0, c: 0, all: 0 }
      const waiting: Record<string, number> = { a: 0, b: 0, c: 0, all: 0 }
      const free = () => places - names.reduce((sum, name) => sum + held[name]!, 0)
      for (const [step, who] of played) {
        if (step === 'leave') {
          if (held[who] === 0) continue
          held[who]!--
          share.leave(who)
        } else {
          const turn = share.enter(who)
          if (!turn) held[who]!++
          else {
            waiting[who]!++
            turn.then(() => {
              waiting[who]!--
              held[who]!++
            })
          }
        }
        await Promise.resolve()
        expect(free()).toBeGreaterThanOrEqual(0)
        const left = places > 1 && held.all === 0 ? free() - 1 : free()
        for (const name of names) {
          if (waiting[name]! > 0 && held[name] === 0)
            expect(name === 'all' ? free() : left).toBeLessThanOrEqual(0)
        }
      }
    }),
  )
})
