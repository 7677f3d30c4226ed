import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { failure } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { newRequestId } from './request-id.ts'
import { commonHeaders, jsonType, malformed } from './respond.ts'

/**
 * What never became a request (broken HTTP, oversized headers, a caller too slow) is answered in the envelope too, after
 * the answers to what came before it on the same connection: those calls are done, and their callers must learn of it.
 * Returns what is to be told of every request.
 */
export function answerClientErrors(server: Server): (response: ServerResponse) => void {
  const failed = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: ServingSocket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Whatever else arrives after the first fault is the same fault.
    if (failed.has(socket)) return
    failed.add(socket)
    const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? new ApiError('headersTooLarge') : malformed()
    const before = socket[latest]
    const isComplete = before?.req.complete ?? true
    // A body that broke off fails the call that waits for it, and that answers for itself.
    if (!isComplete && before!.req.emit('broken', refusal)) return
    // Answered already, without its body.
    if (!isComplete) return void whenSent(before, () => socket.destroySoon())
    whenSent(before, () => socket.end(answerTo(refusal)))
  })
  return (response) => {
    const socket: ServingSocket = response.req.socket
    socket[latest] = response
  }
}

const latest = Symbol('the response to the latest request')

/** A member of its own, not a WeakMap: it is set for every request. */
interface ServingSocket extends Socket {
  [latest]?: ServerResponse
}

function whenSent(response: ServerResponse | undefined, then: () => void): void {
  if (!response || response.writableFinished) then()
  else response.once('finish', then)
}

function answerTo(error: ApiError): string {
  const requestId = newRequestId()
  const body = JSON.stringify(failure(error, requestId))
  const headers = { ...commonHeaders, 'x-request-id': requestId, 'content-type': jsonType }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}
