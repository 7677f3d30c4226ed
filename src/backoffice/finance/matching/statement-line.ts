import { createHash } from 'node:crypto'

/** A line of a statement: money that a bank or a gateway reports as received or sent. */
export interface StatementLine {
  /** Whose statement it is; '' where nobody said. */
  provider: string
  charge_id: string | null
  /** Text by the payer: a charge, or the id or external id of an order. */
  reference: string | null
  description: string | null
  /** Minor units; outgoing amounts are negative. */
  price: number
  currency: string
  /** YYYY-MM-DD on the calendar of the organization. */
  value_date: string
}

export interface IdentifiedLine extends StatementLine {
  line_id: string
}

/**
 * Assigns ids to lines: the same line has the same id in every statement. Identical lines of one statement are
 * distinguished by their position among each other.
 */
export function lineIdentifier(): (line: StatementLine) => IdentifiedLine {
  const seen = new Map<string, number>()
  return (line) => {
    const { provider, charge_id, reference, description, price, currency, value_date } = line
    const content = digest([provider, charge_id, reference, description, price, currency, value_date])
    const before = seen.get(content) ?? 0
    seen.set(content, before + 1)
    return { ...line, line_id: digest([content, before]) }
  }
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
