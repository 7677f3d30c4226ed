import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const sane = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own request id where it sent a sane one, so that both sides' logs meet. */
export function requestIdOf(request: { headers: IncomingMessage['headers'] }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && sane.test(sent) ? sent : newRequestId()
}

const ofThisProcess = randomBytes(8).toString('hex')
let made = 0

/** 32 digits that no other request has: half of them tell the process, half count. Every call needs one. */
export function newRequestId(): string {
  return ofThisProcess + (++made).toString(16).padStart(16, '0')
}
