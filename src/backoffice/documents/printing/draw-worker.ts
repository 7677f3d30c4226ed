import { parentPort } from 'node:worker_threads'
import type { Sheet } from './compose-sheet.ts'
import { drawSheet } from './draw-sheet.ts'

/** Draws sheets in a thread: fonts take up to a second of computing time, which would stop all requests. */
export interface DrawRequest {
  id: number
  sheet: Sheet
  logo: Uint8Array | undefined
}

export type DrawAnswer = { id: number; pdf: Uint8Array } | { id: number; fault: string }

parentPort?.on('message', async ({ id, sheet, logo }: DrawRequest) => {
  const answer = await drawSheet(sheet, logo).then(
    (pdf): DrawAnswer => ({ id, pdf }),
    (error: unknown): DrawAnswer => ({
      id,
      fault: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
    }),
  )
  parentPort?.postMessage(answer)
})
