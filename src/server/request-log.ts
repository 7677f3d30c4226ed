import { fstatSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'

/** A request that was answered, as the log and the metrics tell of it. */
export interface RequestLogEntry {
  request_id: string
  /** The operation's id; undefined for a page or a path that is none. */
  operation: string | undefined
  /** The path of a page. */
  route: string | undefined
  method: string
  status: number
  /** 0 is success. */
  code: number
  app_id: string | undefined
  ms: number
}

type LogStream = DestinationStream & { fd?: number; flushSync?(): void }

export interface RequestLog {
  note(entry: RequestLogEntry): void
  /** Writes what is left. */
  close(): void
}

/** Lines are written together once there are so many characters of them … */
const gatheredLength = 32_000
/** … or so many where they go to a pipe, which takes no more in one piece, and other processes write to it, too … */
const gatheredForPipe = 3800
/** … or when the first of them is this old. */
const longestWaitMs = 100

/**
 * One line a request costs more than some requests do, where it goes the way of every other line: an object, paths of
 * redaction, a write. These have a handful of members that are known to hold nothing personal, so they are put together
 * here, as the log would have, and written together. None is lost when the process ends.
 */
export function createRequestLog(log: Logger): RequestLog {
  const stream = (log as unknown as Record<symbol, LogStream>)[pino.symbols.streamSym]!
  const enough = isPipe(stream) ? gatheredForPipe : gatheredLength
  const bindings = Object.entries(log.bindings())
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
  const start = `{"level":${log.levels.values.info},"time":"`
  let gathered = ''
  let timer: NodeJS.Timeout | undefined

  const write = () => {
    if (gathered === '') return
    const lines = gathered
    gathered = ''
    stream.write(lines)
  }
  const writeInTime = () => {
    timer = undefined
    write()
  }
  const writeAtExit = () => {
    if (gathered === '') return
    write()
    stream.flushSync?.()
  }
  process.on('exit', writeAtExit)

  return {
    note(entry) {
      if (!log.isLevelEnabled('info')) return
      gathered += `${start}${isoTime()}"${bindings}${lineOf(entry)}`
      if (gathered.length >= enough) write()
      else timer ??= setTimeout(writeInTime, longestWaitMs).unref()
    },
    close() {
      clearTimeout(timer)
      write()
      process.off('exit', writeAtExit)
    },
  }
}

function isPipe({ fd }: LogStream): boolean {
  return fd !== undefined && fd >= 0 && fstatSync(fd).isFIFO()
}

function lineOf({ operation, route, request_id, method, status, code, app_id, ms }: RequestLogEntry): string {
  // Routes, methods and request ids that get here are of harmless characters.
  const account = app_id === undefined ? '' : `,"app_id":${JSON.stringify(app_id)}`
  return (
    `,"operation":"${operation ?? route ?? 'unknown'}","request_id":"${request_id}","method":"${method}",` +
    `"status":${status},"code":${code}${account},"ms":${Math.round(ms * 10) / 10},"msg":"request"}\n`
  )
}

let lastSecond = 0
let lastText = ''

/** Only the milliseconds differ from line to line. */
function isoTime(): string {
  const now = Date.now()
  const ms = now % 1000
  if (now - ms !== lastSecond) {
    lastSecond = now - ms
    lastText = new Date(lastSecond).toISOString().slice(0, -'000Z'.length)
  }
  return `${lastText}${String(ms).padStart(3, '0')}Z`
}
