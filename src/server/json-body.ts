import type { FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { parseJson } from '../contract/parse-json.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Takes JSON objects in UTF-8 as bodies, and nothing else. Bytes that are no UTF-8 are refused, never replaced. */
export function acceptJsonObjects(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseObject(body as Buffer, request.headers['content-type']!))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseObject(body: Buffer, contentType: string): object {
  const charset = /charset="?([^;"\s]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) throw new ApiError('unsupportedMediaType')
  let value: unknown
  try {
    value = parseJson(utf8.decode(body))
  } catch {
    throw new ApiError('notJson')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('notJson')
  return value
}
