import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { failure } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { newRequestId } from './call.ts'
import { commonHeaders, jsonType, malformed } from './respond.ts'
import { breakBody } from './steps/json-body.ts'

/**
 * Answers broken HTTP, oversized headers and slow clients in the envelope too. Earlier requests of the same connection are
 * answered first: those calls are done, and their callers must learn of it. Call the returned function for every request.
 */
export function answerClientErrors(server: Server): (response: ServerResponse) => void {
  const failed = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: ServingSocket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // One refusal per connection.
    if (failed.has(socket)) return
    failed.add(socket)
    const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? new ApiError('headersTooLarge') : malformed()
    const before = socket[latest]
    if (before && !before.req.complete) {
      // The call that reads the body sends the failure. It may have been answered without reading it.
      breakBody(before.req, refusal)
      whenSent(before, () => socket.destroySoon())
    } else whenSent(before, () => socket.end(answerTo(refusal)))
  })
  return (response) => {
    const socket: ServingSocket = response.req.socket
    socket[latest] = response
  }
}

const latest = Symbol('the response to the latest request')

/** A member instead of a WeakMap, since it is set for every request. */
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
