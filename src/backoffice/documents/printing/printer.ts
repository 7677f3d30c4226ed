import { Worker } from 'node:worker_threads'
import { ApiError } from '../../../contract/errors.ts'
import type { Sheet } from './compose-sheet.ts'
import type { DrawAnswer, DrawRequest } from './draw-worker.ts'

const maxWaiting = 16
const idleMs = 60_000
const drawingMs = 20_000

export interface Printer {
  /** Draws a sheet as PDF. */
  print(sheet: Sheet, logo: Uint8Array | undefined): Promise<Buffer>
}

interface Job {
  request: DrawRequest
  resolve(pdf: Buffer): void
  reject(error: Error): void
}

/**
 * Draws one sheet after the other in a thread. The thread starts with the first sheet and ends after a minute without one,
 * because library and fonts take about 100 MB.
 */
export function createPrinter(): Printer {
  const jobs: Job[] = []
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let nextId = 1

  function stop(): void {
    const stopped = worker
    worker = undefined
    void stopped?.terminate()
  }

  function later(ms: number, act: () => void): void {
    clearTimeout(timer)
    timer = setTimeout(act, ms)
    timer.unref()
  }

  function fail(error: Error): void {
    stop()
    jobs.shift()?.reject(error)
    startNext()
  }

  function startNext(): void {
    const [job] = jobs
    if (!job) {
      later(idleMs, stop)
      return
    }
    worker ??= started()
    worker.postMessage(job.request)
    later(drawingMs, () => fail(new Error(`A document took over ${drawingMs} ms to draw`)))
  }

  function started(): Worker {
    const made = new Worker(new URL('./draw-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    made.unref()
    made.on('error', (error) => {
      if (made === worker) fail(error instanceof Error ? error : new Error(String(error)))
    })
    made.on('message', (answer: DrawAnswer) => {
      if (made !== worker || answer.id !== jobs[0]?.request.id) return
      const job = jobs.shift()!
      if ('fault' in answer) job.reject(new Error(answer.fault))
      else job.resolve(Buffer.from(answer.pdf))
      startNext()
    })
    return made
  }

  return {
    print(sheet, logo) {
      if (jobs.length >= maxWaiting)
        return Promise.reject(new ApiError('unavailable', { retryAfterSeconds: 5 }))
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      jobs.push({ request: { id: nextId++, sheet, logo }, resolve, reject })
      if (jobs.length === 1) startNext()
      return promise
    },
  }
}
