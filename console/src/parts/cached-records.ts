import type { QueryClient } from '@tanstack/react-query'
import type { CallError } from '../calls/call-error.ts'

type CachedRecord = Record<string, unknown>

/** Values that a search looks at; a page has far fewer. */
const mostValues = 50_000

/** A record that the page has loaded, by its id, with a text under the wanted name. */
export function findRecord(queries: QueryClient, id: string, wanted: string): CachedRecord | undefined {
  const waiting: unknown[] = queries
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.data)
  for (let seen = 0; waiting.length > 0 && seen < mostValues; seen++) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const members = Object.entries(value)
    const isIt = members.some(([name, member]) => member === id && /(^|_)id$/.test(name))
    if (isIt && textOf((value as CachedRecord)[wanted])) return value as CachedRecord
    for (const [, member] of members) if (typeof member === 'object') waiting.push(member)
  }
  return undefined
}

/** The currency of the amounts of a refusal: as the service says, or that of the order or payment of the call. */
export function currencyOf(queries: QueryClient, { details, input }: CallError): string | undefined {
  const told = textOf(details.currency)
  if (told) return told
  for (const name of ['order_id', 'from_order_id', 'to_order_id', 'statement_id', 'account_id']) {
    const id = textOf(input[name])
    const currency = id && textOf(findRecord(queries, id, 'currency')?.currency)
    if (currency) return currency
  }
  return textOf(input.currency)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
