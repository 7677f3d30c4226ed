import { SingleBar } from 'cli-progress'

/** On a terminal only, and on standard error, so that what is printed stays clean. */
export function countBar(what: string, asJson: boolean | undefined) {
  if (!process.stderr.isTTY || asJson) return { show: () => undefined, stop: () => undefined }
  const format = `${what} [{bar}] {value} of {total}, {eta_formatted} left`
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let isStarted = false
  return {
    show(done: number, total: number) {
      if (!isStarted) bar.start(total, 0)
      isStarted = true
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
