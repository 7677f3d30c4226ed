import { SingleBar } from 'cli-progress'
import type { Progress } from '../files/row-batches.ts'

/** On a terminal only, and on standard error, so that what is printed stays clean. */
export function progressBar(): { show: Progress; stop(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, stop: () => undefined }
  const format = 'Importing [{bar}] {percentage}% {rows} rows, {rate}/s, {eta_formatted} left'
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let startedMs: number | undefined
  return {
    show(bytes, total, rows) {
      const payload = { rows, rate: Math.round((rows * 1000) / (performance.now() - (startedMs ?? 0)) || 0) }
      if (startedMs === undefined) bar.start(total, 0, payload)
      startedMs ??= performance.now()
      bar.update(Math.min(bytes, total), payload)
    },
    stop: () => bar.stop(),
  }
}
