import { raw, type Statement, sql } from './sql.ts'

/** Interface › Response envelope: record timestamps, read off the clocks of the organization's zone. */
export function timestamp(column: string, timeZone: string | Statement): Statement {
  return sql`to_char(${raw(column)} at time zone ${timeZone}::text, 'YYYY-MM-DD HH24:MI:SS')`
}

/** The same for a nullable instant: "" if null. */
export function timestampOrEmpty(column: string, timeZone: string): Statement {
  return sql`coalesce(${timestamp(column, timeZone)}, '')`
}

/** A timestamp with its microseconds, which a Date would lose. */
export function microseconds(column: string): Statement {
  return raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
}
