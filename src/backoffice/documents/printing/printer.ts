import { Worker } from 'node:worker_threads'
import { createFairShare, inTurn } from '../../../contract/limits/fair-share.ts'
import type { Sheet } from './compose-sheet.ts'
import type { DrawAnswer, DrawRequest } from './draw-worker.ts'

const idleMs = 60_000
const drawingMs = 20_000

export interface Printer {
  /** Draws a sheet of an organization as PDF. */
  print(corp_id: string, sheet: Sheet, logo: Uint8Array | undefined): Promise<Buffer>
}

interface Job {
  request: DrawRequest
  resolve(pdf: Buffer): void
  reject(error: Error): void
}

/**
 * Draws one sheet after the other in a thread. Each organization has its own queue. The thread starts with the first sheet and ends after a minute without one,
 * because library and fonts take about 100 MB.
 */
export function createPrinter(): Printer {
  const turns = createFairShare({ places: 1, mostWaiting: 16, longestWaitMs: drawingMs })
  let job: Job | undefined
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
    clearTimeout(timer)
    stop()
    job?.reject(error)
    job = undefined
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
      if (made !== worker || !job || answer.id !== job.request.id) return
      if ('fault' in answer) job.reject(new Error(answer.fault))
      else job.resolve(Buffer.from(answer.pdf))
      job = undefined
      later(idleMs, stop)
    })
    return made
  }

  function draw(sheet: Sheet, logo: Uint8Array | undefined): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    job = { request: { id: nextId++, sheet, logo }, resolve, reject }
    worker ??= started()
    worker.postMessage(job.request)
    later(drawingMs, () => fail(new Error(`A document took over ${drawingMs} ms to draw`)))
    return promise
  }

  return { print: (corp_id, sheet, logo) => inTurn(turns, corp_id, () => draw(sheet, logo)) }
}
