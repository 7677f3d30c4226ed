import { SingleBar } from 'cli-progress'
import type { Progress } from '../backup/restore-backup.ts'

/** On a terminal only, and on standard error, so that what is printed stays clean. */
export function backupBar(asJson: boolean | undefined): { show: Progress; stop(): void } {
  if (!process.stderr.isTTY || asJson) return { show: () => undefined, stop: () => undefined }
  const format = '{phase} [{bar}] {percentage}% {eta_formatted}'
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let shown: string | undefined
  return {
    show(phase, done, total) {
      if (phase !== shown) bar.start(total, done, { phase: phase === 'copying' ? 'Copying ' : 'Checking' })
      shown = phase
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
