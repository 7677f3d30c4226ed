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

export interface RequestLog {
  note(entry: RequestLogEntry): void
  /** Writes what is left. */
  close(): void
}

/** Lines are written together once there are so many characters of them, which a pipe takes in one piece … */
const gatheredLength = 3800
/** … or when the first of them is this old. */
const longestWaitMs = 100

/**
 * One line a request costs more than some requests do, where it goes the way of every other line: an object, paths of
 * redaction, a write. These have a handful of members that are known to hold nothing personal, so they are put together
 * here, as the log would have, and written together. None is lost when the process ends.
 */
export function createRequestLog(log: Logger): RequestLog {
  const stream = (log as unknown as Record<symbol, DestinationStream & { flushSync?(): void }>)[
    pino.symbols.streamSym
  ]!
  const bindings = Object.entries(log.bindings())
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
  const start = `{"level":${log.levels.values.info},"time":"`
  let gathered = ''
  let timer: NodeJS.Timeout | undefined

  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (gathered === '') return
    const lines = gathered
    gathered = ''
    stream.write(lines)
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
      if (gathered.length >= gatheredLength) write()
      else timer ??= setTimeout(write, longestWaitMs).unref()
    },
    close() {
      write()
      process.off('exit', writeAtExit)
    },
  }
}

function lineOf({ operation, route, request_id, method, status, code, app_id, ms }: RequestLogEntry): string {
  // Routes, methods and request ids that get here are of harmless characters.
  const account = app_id === undefined ? '' : `,"app_id":${JSON.stringify(app_id)}`
  return (
    `,"operation":"${operation ?? route ?? 'unknown'}","request_id":"${request_id}","method":"${method}",` +
    `"status":${status},"code":${code}${account},"ms":${Math.round(ms * 10) / 10},"msg":"request"}\n`
  )
}

let lastMs = 0
let lastTime = ''

/** Many requests end in the same millisecond. */
function isoTime(): string {
  const ms = Date.now()
  if (ms !== lastMs) {
    lastMs = ms
    lastTime = new Date(ms).toISOString()
  }
  return lastTime
}
