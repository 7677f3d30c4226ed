import { hash } from 'node:crypto'

/** A hash of the content, independent of the order of members. */
export function fingerprint(value: unknown): string {
  return hash('sha256', JSON.stringify(value, sortMembers))
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
