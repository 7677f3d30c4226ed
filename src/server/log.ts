import pg from 'pg'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

const toStandardError = {
  dest: 2,
  sync: false,
  /** What a pipe takes in one piece, so that the lines of several processes do not run into each other. */
  maxWrite: 4096,
  /** A reader of the log that has stopped reading must not fill the memory: lines beyond this are dropped. */
  maxLength: 16 * 1024 * 1024,
}

/**
 * The structured log, on standard error. What is logged is chosen, not filtered: no headers, no bodies, no query
 * strings ever reach it; the redaction is a second wall for what somebody might add one day.
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

/** PostgreSQL quotes values in messages and details ("Key (email)=(…)"): of its errors, only the names are kept. */
function describeError(error: Error) {
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (error instanceof pg.DatabaseError) {
    const { code, severity, table, column, constraint, routine } = error
    return { type: 'DatabaseError', code, severity, table, column, constraint, routine, stack }
  }
  return { type: error.name, code: (error as NodeJS.ErrnoException).code, message: error.message, stack }
}
