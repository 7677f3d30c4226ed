import { randomUUIDv7 } from 'node:crypto'

/** Ids sort by the time they were made, which keeps the newest rows of an index together. */
export function newId(): string {
  return randomUUIDv7().replaceAll('-', '')
}
