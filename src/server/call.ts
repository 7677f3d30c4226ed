import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GrantedAccount } from '../access/organizations/account-store.ts'
import { requestIdOf } from './request-id.ts'

/** A call under way, with what is known of it so far. */
export interface Call {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  /** What stands behind the question mark of the address. */
  query: string
  beganMs: number
  /** The bytes that came, once they have. */
  body: Buffer | undefined
  /** Undefined until the caller is known. */
  account: GrantedAccount | undefined
  /** Name, value, name, value …: what the answer carries beside the headers that all have. */
  headers: string[]
  /** Set aside for the answer, among the bytes that may wait to be sent. */
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
    account: undefined,
    headers: [],
    reservedBytes: 0,
  }
}
