import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { parseJson } from '../../contract/parse-json.ts'
import type { Call } from '../call.ts'

/** Maximum nesting: more than any operation uses, and safe for recursion. */
const maxDepth = 64

/** Reads a JSON object in UTF-8. Invalid UTF-8 is refused, never replaced. */
export async function readJsonObject(call: Call, limitBytes: number): Promise<Record<string, unknown>> {
  requireJson(call.request.headers)
  call.body = await readBytes(call, limitBytes)
  return parseObject(call.body)
}

const brokenBodies = new WeakMap<IncomingMessage, ApiError>()

/** Fails the call that reads this body, now or later. */
export function breakBody(request: IncomingMessage, refusal: ApiError): void {
  brokenBodies.set(request, refusal)
  request.emit('broken', refusal)
}

function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']
  if (type === 'application/json') return
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  if (type === undefined && !hasBody) throw new ApiError('notJson')
  const charset = /^application\/json *(?:;|$)(?:.*charset="?([^;"\s]+))?/i.exec(type ?? '')
  if (!charset || !/^utf-?8$/i.test(charset[1] ?? 'utf-8')) throw new ApiError('unsupportedMediaType')
}

/** Stops reading at the limit. */
function readBytes({ request, headers }: Call, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  const refuse = (error: ApiError) => {
    // The rest of the body would be parsed as the next request.
    headers.push('connection', 'close')
    request.removeAllListeners('data').resume()
    reject(error)
  }
  const isTooLarge = Number(request.headers['content-length']) > limitBytes
  const refusal = isTooLarge ? new ApiError('bodyTooLarge') : brokenBodies.get(request)
  if (refusal) {
    refuse(refusal)
    return promise
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > limitBytes) return refuse(new ApiError('bodyTooLarge'))
    chunks.push(chunk)
  })
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  request.once('broken', refuse)
  // The client has disconnected. Its ECONNRESET must not count as one of the database.
  request.once('error', () => reject(new ApiError('notJson')))
  return promise
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseObject(body: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    const text = utf8.decode(body)
    if (isDeeper(text, maxDepth)) throw tooDeep()
    value = parseJson(text)
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('notJson')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('notJson')
  return value as Record<string, unknown>
}

function tooDeep(): ApiError {
  return new ApiError('notJson', { msg: `The request body is nested more than ${maxDepth} levels deep.` })
}

const [quote, backslash] = [0x22, 0x5c]
const openings = new Set([0x5b, 0x7b])
const closings = new Set([0x5d, 0x7d])

/** Counts brackets outside strings. */
function isDeeper(text: string, levels: number): boolean {
  // Too short to be deep.
  if (text.length <= levels) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (openings.has(char)) depth++
    else if (closings.has(char)) depth--
    if (depth > levels) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) return at
    if (char === backslash) at++
  }
  return text.length
}
