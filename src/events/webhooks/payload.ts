import type { Event } from '../event.ts'

/** The body of a delivery, as Standard Webhooks has it. It is the same in every attempt. */
export function bodyOf(event: Event): string {
  return JSON.stringify({ type: event.type, timestamp: event.at, data: event })
}
