/** The ends of an organization's chains at an instant. A copy outside the database reveals a rewritten chain. */
export interface PublishedHead {
  /** '' for entries that concern no single organization. */
  corp_id: string
  /** By the clock of the database. */
  at: string
  /** Audit chain: number of links, and hash of the last one. */
  length: number
  head: string
  /** Ledger chain; absent without a ledger. */
  ledger_length?: number
  ledger_head?: string
  /** The database was restored to this point: longer heads published earlier belong to a discarded history. */
  restored?: true
}

/** One line of a file of heads. */
export function lineOf(head: PublishedHead): string {
  return `${JSON.stringify(head)}\n`
}

const maxLineLength = 2000
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const hashPattern = /^[0-9a-f]{64}$/

/** Parses a line of a file of heads or of a server log; undefined for other lines. */
export function readLine(line: string): PublishedHead | undefined {
  if (line.length > maxLineLength || !line.includes('"head"')) return undefined
  const found = parse(line)
  if (!found) return undefined
  const { corp_id, at, length, head, ledger_length, ledger_head, restored } = found
  if (typeof corp_id !== 'string' || typeof at !== 'string' || !instantPattern.test(at)) return undefined
  const audit = readEnd(length, head)
  const ledger = readEnd(ledger_length, ledger_head)
  if (!audit) return undefined
  return {
    corp_id,
    at,
    ...audit,
    ...(ledger && { ledger_length: ledger.length, ledger_head: ledger.head }),
    ...(restored === true && { restored }),
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(line))
  } catch {
    return undefined
  }
}

function readEnd(length: unknown, head: unknown): { length: number; head: string } | undefined {
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || typeof head !== 'string')
    return undefined
  const isValid = length === 0 ? head === '' : length > 0 && hashPattern.test(head)
  return isValid ? { length, head } : undefined
}
