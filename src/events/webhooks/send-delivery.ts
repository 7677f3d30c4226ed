import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { guardedRequest, type Resolve } from '../../access/outbound/guarded-request.ts'
import { outboundErrorOf } from '../../access/outbound/outbound-error.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import type { DeliveryProblem } from './delivery-problem.ts'
import { addressFault } from './webhook-address.ts'

/** The result of one attempt. */
export interface SendResult {
  /** Null: delivered. */
  error: DeliveryProblem | null
  /** Null: no response. */
  status: number | null
  /** The first kilobyte of the response. */
  response: string
  retryAfter: string | undefined
}

export interface SenderOptions {
  /** Whether receivers may be in private networks, on any port and without TLS. */
  allowsPrivate: boolean
  timeoutMs?: number
  /** Absent: the lookup of the system. */
  resolve?: Resolve
}

export interface Sender {
  /** Rejects only if `signal` is aborted. */
  send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<SendResult>
  timeoutMs: number
  close(): void
}

const keptBytes = 1024

/** Sends deliveries. Connections are kept for the next ones to the same receiver. */
export function createSender({ allowsPrivate, timeoutMs = 15_000, resolve }: SenderOptions): Sender {
  const kept = { keepAlive: true, maxFreeSockets: 8, timeout: 60_000 }
  const agents = { plain: new Agent(kept), tls: new TlsAgent(kept) }
  const plain = { allowsPrivate, allowsPlain: allowsPrivate, agents, resolve, method: 'POST' }
  return {
    timeoutMs,
    async send(url, headers, body, signal) {
      // The rules may have changed since the endpoint was created.
      if (addressFault(url, allowsPrivate)) return failure('address')
      const tooLong = AbortSignal.timeout(timeoutMs)
      try {
        const response = await guardedRequest(new URL(url), {
          ...plain,
          body,
          headers: { ...headers, ...fixedHeaders, 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.any([tooLong, signal]),
        })
        const { statusCode: status = 0, headers: received } = response
        const text = await readStart(response)
        return { error: problemOf(status), status, response: text, retryAfter: received['retry-after'] }
      } catch (error) {
        signal.throwIfAborted()
        return failure(tooLong.aborted ? 'timeout' : outboundErrorOf(error).problem)
      }
    },
    close() {
      agents.plain.destroy()
      agents.tls.destroy()
    },
  }
}

const fixedHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': `Matricula/${serviceVersion}`,
}

function failure(error: DeliveryProblem): SendResult {
  return { error, status: null, response: '', retryAfter: undefined }
}

function problemOf(status: number): DeliveryProblem | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'refusal'
}

/** The status has arrived, so a body that is cut off or hangs changes nothing. */
async function readStart(response: NodeJS.ReadableStream & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      length += chunk.length
      if (length >= keptBytes) break
    }
  } catch {
    response.destroy()
  }
  // PostgreSQL stores no NUL in a text.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\u0000', '')
}
