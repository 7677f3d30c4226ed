/** Where the chains of an organization ended at an instant. A copy outside the database proves later whether they were rewritten. */
export interface PublishedHead {
  /** '' for what concerns no single organization. */
  corp_id: string
  /** By the clock of the database. */
  at: string
  /** Of the audit: how many links it had, and the hash of the last one. */
  length: number
  head: string
  /** Of the ledger; absent where the organization has none. */
  ledger_length?: number
  ledger_head?: string
  /** The database was restored to this point: heads beyond it that were published earlier are of a discarded history. */
  restored?: true
}

/** One line of a file of heads. */
export function lineOf(head: PublishedHead): string {
  return `${JSON.stringify(head)}\n`
}

const longestLine = 2000
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const hashPattern = /^[0-9a-f]{64}$/

/** The head on a line of a file, be it one of heads or a log of the server; undefined where the line is something else. */
export function readLine(line: string): PublishedHead | undefined {
  if (line.length > longestLine || !line.includes('"head"')) return undefined
  const found = parse(line)
  if (!found) return undefined
  const { corp_id, at, length, head, ledger_length, ledger_head, restored } = found
  if (typeof corp_id !== 'string' || typeof at !== 'string' || !instantPattern.test(at)) return undefined
  if (!isEnd(length, head)) return undefined
  return {
    ...{ corp_id, at, length: length as number, head: head as string },
    ...(isEnd(ledger_length, ledger_head) && {
      ledger_length: ledger_length as number,
      ledger_head: ledger_head as string,
    }),
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

function isEnd(length: unknown, head: unknown): boolean {
  if (!Number.isSafeInteger(length) || typeof head !== 'string') return false
  return length === 0 ? head === '' : (length as number) > 0 && hashPattern.test(head)
}
