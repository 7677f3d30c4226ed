import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { RenderedJson } from '../contract/rendered-json.ts'
import type { Call } from './call.ts'
import type { Body } from './respond.ts'

/** Shorter responses fit into a few packets: compression would cost more than it saves. */
const minBytes = 4096

/** The best one first. At these levels the processor time per byte is lowest; docs/performance.md has the figures. */
const compressions = [
  {
    name: 'zstd',
    compress: promisify(zstdCompress),
    options: { params: { [constants.ZSTD_c_compressionLevel]: 1 } },
  },
  { name: 'gzip', compress: promisify(gzip), options: { level: 1 } },
] as const

export function isLong(body: Body): boolean {
  return body.length >= minBytes
}

/** Compresses a response if the client accepts it. A thread of the pool does the work, so other calls do not wait. */
export async function compressed({ request, headers }: Call, body: Body): Promise<Body | Buffer> {
  const accepted = acceptedIn(request.headers['accept-encoding'] ?? '')
  const chosen = compressions.find(({ name }) => accepted.includes(name))
  const content = chosen ? await chosen.compress(bytesOf(body), chosen.options) : body
  headers.push('vary', 'Accept-Encoding')
  if (chosen) headers.push('content-encoding', chosen.name)
  return content
}

/** The encodings that a client accepts without a lower preference. */
export function acceptedIn(header: string): string[] {
  return header.split(',').map((each) => each.trim().replace(/;q=1(\.0*)?$/, ''))
}

function bytesOf(body: Body): Buffer {
  if (!(body instanceof RenderedJson)) return Buffer.from(body)
  return typeof body.response === 'string' ? Buffer.from(body.response, 'latin1') : body.response
}
