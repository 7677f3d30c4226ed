import type { IncomingMessage } from 'node:http'

/** Paths that programs and pages fetch. A missing one is reported in the envelope, not as a page. */
const notForReaders = /^\/(?:api|docs|assets|exports|receipts|metrics|healthz|readyz|openapi\.json)(?:[/?]|$)/

/** Whether a person navigates to the address with a browser, rather than a page or a program fetching it. */
export function isNavigation({ method, url = '', headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode']
  return (
    method === 'GET' &&
    (mode === undefined || mode === 'navigate') &&
    /\btext\/html\b/.test(headers.accept ?? '') &&
    !notForReaders.test(url)
  )
}
