import type { Account } from '../contract/caller.ts'
import { ApiError, invalid } from '../contract/errors.ts'
import { type EventTypeName, eventTypeNames, eventTypes } from './event-types.ts'

/** The event types that a caller may read. */
export function readableTypes({ permissions }: Pick<Account, 'permissions'>): EventTypeName[] {
  return eventTypeNames.filter((name) => permissions.includes(eventTypes[name].permission))
}

/**
 * The types that patterns select: a type, `order.*` or `*`. A wildcard selects the types that the caller may read. A named
 * type that the caller may not read is refused.
 */
export function selectTypes(
  patterns: string[],
  account: Pick<Account, 'permissions'>,
  param = 'types',
): EventTypeName[] {
  const readable = readableTypes(account)
  const selected = new Set<EventTypeName>()
  for (const [index, pattern] of patterns.entries()) {
    const named = eventTypeNames.filter((name) => matches(pattern, name))
    if (named.length === 0) throw invalid(param, `names no event type in part ${index + 1}`)
    const allowed = named.filter((name) => readable.includes(name))
    if (allowed.length === 0)
      throw new ApiError('permissionMissing', {
        msg: `The account lacks the permission finance, which events of type ${pattern} take.`,
      })
    for (const name of allowed) selected.add(name)
  }
  return [...selected]
}

function matches(pattern: string, name: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
