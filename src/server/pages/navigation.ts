import type { FastifyRequest } from 'fastify'

/** What programs ask for, and files: whatever is not there is told to them as it is. */
const notForReaders = /^\/(?:api|docs|assets|exports|receipts|metrics|healthz|readyz|openapi\.json)(?:[/?]|$)/

/** Whether somebody has gone to an address with a browser, and wants to read a page; not what a page or a program fetches. */
export function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return (
    method === 'GET' &&
    (mode === undefined || mode === 'navigate') &&
    /\btext\/html\b/.test(headers.accept ?? '') &&
    !notForReaders.test(url)
  )
}
