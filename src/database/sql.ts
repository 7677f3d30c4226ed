import { createHash } from 'node:crypto'

/** Only this file can set it, so an object of the same shape in a request never counts as a statement. */
const brand = Symbol('statement')

/** A statement ready to run: its text with $1 … placeholders, and the name it is prepared under. */
export interface Statement {
  readonly [brand]: true
  text: string
  name: string
  values: unknown[]
  /** Whether the text of its rows is read as bytes. */
  readsBytes?: boolean
  /** Whether it waits for a lock that nearly every writer takes. `for update` in the text says so too. */
  locks?: boolean
}

/**
 * Writes a statement as SQL. Interpolated values become parameters. An interpolated statement is spliced in, so shared
 * columns and conditions are named once. Texts consist of literals, so there are few, and each is prepared under a name.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const values: unknown[] = []
  const text = render(strings, parts, values)
  return { [brand]: true, text, name: nameOf(text), values }
}

/**
 * Reads the text of rows as one character per byte, for text that is only forwarded. Ids, numbers and times are ASCII, so
 * they are the same either way.
 */
export function readingBytes(statement: Statement): Statement {
  return { ...statement, readsBytes: true }
}

/** A statement that locks without `for update`. Its time is measured as that of a lock. */
export function locking(statement: Statement): Statement {
  return { ...statement, locks: true }
}

/** SQL chosen by the program (a column, a direction), never made from input. */
export function raw(text: string): Statement {
  return { [brand]: true, text, name: '', values: [] }
}

function render(strings: readonly string[], parts: unknown[], values: unknown[]): string {
  let text = strings[0]!
  for (const [index, part] of parts.entries()) {
    if (isStatement(part) && part.values.length === 0) text += part.text
    else if (isStatement(part)) {
      const offset = values.length
      text += part.text.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1]!
  }
  return text
}

function isStatement(part: unknown): part is Statement {
  return typeof part === 'object' && part !== null && brand in part
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 24)
    names.set(text, name)
  }
  return name
}

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
