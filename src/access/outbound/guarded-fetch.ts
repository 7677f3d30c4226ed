import { guardedRequest, type OutboundReach } from './guarded-request.ts'
import { OutboundError, outboundErrorOf } from './outbound-error.ts'

const timeoutMs = 5000
const maxResponseBytes = 1_048_576

/**
 * Like fetch, without redirects: limited in time and size, https only, and only to public addresses. Every failure is an
 * OutboundError.
 */
export function createGuardedFetch({ allowsPrivate }: OutboundReach) {
  return async (address: string, init: { method?: string; headers?: object; body?: unknown } = {}) => {
    const { method = 'GET', headers = {}, body } = init
    const response = await guardedRequest(new URL(address), {
      allowsPrivate,
      method,
      headers,
      body: body === undefined || body === null ? undefined : String(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const chunks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxResponseBytes) return response.destroy(new OutboundError('too_large'))
      chunks.push(chunk)
    })
    response.once('error', (error) => reject(outboundErrorOf(error)))
    response.once('end', () => {
      const found = Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      )
      const { statusCode: status = 502 } = response
      const content = status === 204 || status === 304 ? null : Buffer.concat(chunks)
      resolve(new Response(content, { status, headers: found }))
    })
    return promise
  }
}
