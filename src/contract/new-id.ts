import { randomUUIDv7 } from 'node:crypto'

/** Ids sort by creation time, which keeps new rows of an index together. */
export function newId(): string {
  return randomUUIDv7().replaceAll('-', '')
}
