import type { Event } from '../event.ts'

/** The payload of a delivery, by Standard Webhooks. */
export function payloadOf(event: Event) {
  return { type: event.type, timestamp: event.at, data: event }
}

/** The body of a delivery. It is the same in every attempt. */
export function bodyOf(event: Event): string {
  return JSON.stringify(payloadOf(event))
}
