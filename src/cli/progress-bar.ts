import { SingleBar } from 'cli-progress'

/** Only on a terminal, and on standard error, so that standard output contains only the result. */
export function progressBar(title: string, asJson: boolean | undefined) {
  const nothing = { show(_done: number, _total: number, _detail?: string) {}, stop() {} }
  if (!process.stderr.isTTY || asJson) return nothing
  const format = `${title} {detail} [{bar}] {percentage}% {eta_formatted}`
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let last = Number.POSITIVE_INFINITY
  return {
    /** A smaller number than before starts the next part of the work. */
    show(done: number, total: number, detail = '') {
      if (done < last) bar.start(total, 0, { detail })
      last = done
      bar.setTotal(total)
      bar.update(Math.min(done, total), { detail })
    },
    stop: () => bar.stop(),
  }
}
