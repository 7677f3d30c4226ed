import type { IncomingMessage } from 'node:http'

const sane = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own request id where it sent a sane one, so that both sides' logs meet. */
export function requestIdOf(request: { headers: IncomingMessage['headers'] }, newId: () => string): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && sane.test(sent) ? sent : newId()
}
