import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ReadOnlyMode } from './read-only-mode.ts'

/** Work that runs until its signal is aborted. */
function worker() {
  const seen: string[] = []
  const work = async (signal: AbortSignal) => {
    seen.push('begins')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    seen.push('ends')
  }
  return { seen, work }
}

test('work pauses while the service is read-only, and continues after it', async () => {
  const mode = new ReadOnlyMode(true)
  const { seen, work } = worker()
  const over = new AbortController()
  const running = mode.run(over.signal, work)
  await turn()
  expect(seen).toEqual([])
  mode.set(false)
  await turn()
  expect(seen).toEqual(['begins'])
  // Set to the same value, so nothing restarts.
  mode.set(false)
  await turn()
  expect(seen).toEqual(['begins'])
  mode.set(true)
  await turn()
  expect(seen).toEqual(['begins', 'ends'])
  mode.set(false)
  await turn()
  over.abort()
  await running
  expect(seen).toEqual(['begins', 'ends', 'begins', 'ends'])
})

test('a stop ends the pause', async () => {
  const over = new AbortController()
  const { seen, work } = worker()
  const running = new ReadOnlyMode(true).run(over.signal, work)
  over.abort()
  await running
  expect(seen).toEqual([])
})

test('a failure of the work is the failure of the run', async () => {
  const work = async () => {
    throw new Error('broken')
  }
  await expect(new ReadOnlyMode(false).run(new AbortController().signal, work)).rejects.toThrow('broken')
})
