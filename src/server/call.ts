import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import { requestIdOf } from './request-id.ts'

/** A call in progress. */
export interface Call {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  /** The part of the URL after the question mark. */
  query: string
  beganMs: number
  /** The bytes of the body, once read. */
  body: Buffer | undefined
  /** Undefined until identified; always undefined for public operations. */
  caller: Caller | undefined
  /** Headers of the response besides the common ones: name, value, name, value … */
  headers: string[]
  /** Bytes reserved for the response (`unsent-bytes.ts`). */
  reservedBytes: number
}

export function beginCall(request: IncomingMessage, response: ServerResponse, query: string): Call {
  return {
    request,
    response,
    requestId: requestIdOf(request),
    query,
    beganMs: performance.now(),
    body: undefined,
    caller: undefined,
    headers: [],
    reservedBytes: 0,
  }
}
