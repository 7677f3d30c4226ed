import pg from 'pg'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { createRepeats } from './log-repeats.ts'

const toStandardError = {
  dest: 2,
  sync: false,
  /** Atomic in a pipe, so that lines of several processes do not mix. */
  maxWrite: 4096,
  /** If nobody reads the log, lines beyond this are dropped. */
  maxLength: 16 * 1024 * 1024,
}

/**
 * The structured log on standard error. Headers, bodies and query strings are never passed to it. Redaction is a second
 * protection against future mistakes.
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = pino.destination(toStandardError),
): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { logMethod: createRepeats() },
      redact: {
        paths: [
          'authorization',
          'secret',
          'user_api_secret',
          'token',
          'signature',
          'mobile',
          'email',
          'name',
        ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
    },
    destination,
  )
}

/** PostgreSQL quotes values in messages and details ("Key (email)=(…)"), so only names are logged. */
function describeError(error: Error) {
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (error instanceof pg.DatabaseError) {
    const { code, severity, table, column, constraint, routine } = error
    return { type: 'DatabaseError', code, severity, table, column, constraint, routine, stack }
  }
  return { type: error.name, code: (error as NodeJS.ErrnoException).code, message: error.message, stack }
}
