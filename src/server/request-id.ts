import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const valid = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own request id, if valid: the logs of both sides then share it. */
export function requestIdOf(request: { headers: IncomingMessage['headers'] }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && valid.test(sent) ? sent : newRequestId()
}

const processId = randomBytes(8).toString('hex')
let count = 0

/** 32 unique hexadecimal digits: 16 random ones of the process, then a counter. */
export function newRequestId(): string {
  return processId + (++count).toString(16).padStart(16, '0')
}
