import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The fault of a call in transit. The service carries out `after` and `late` faults; its answer does not arrive. */
export const faults = [
  '429',
  '429 of a gateway',
  '503',
  '503 of a gateway after',
  'reset before',
  'reset after',
  'late answer',
  'late call',
  'truncated after',
  'shortened after',
] as const
export type Fault = (typeof faults)[number]

export interface FaultProxy {
  url: string
  /** Calls by path. */
  calls: Map<string, number>
  /** The headers of each call, in order of arrival. */
  headers: { path: string; headers: IncomingMessage['headers'] }[]
  /** Chooses the fault of a call; undefined: none. */
  choose: (path: string) => Fault | undefined
  /** How often each fault happened. */
  injected: Map<Fault, number>
  /** Resolves once the late calls have arrived. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** A proxy before a server that harms calls. `lateMs` is longer than the client waits. */
export async function startFaultProxy(target: string, lateMs: number, retryAfter = '0'): Promise<FaultProxy> {
  const underWay = new Set<Promise<unknown>>()

  async function forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers
    const init = { method: method!, headers: kept as Record<string, string> }
    const response = await fetch(
      target + url,
      body.length > 0 ? { ...init, body: new Uint8Array(body) } : init,
    )
    const { 'content-encoding': _____, ...all } = Object.fromEntries(response.headers)
    return { status: response.status, headers: all, body: Buffer.from(await response.arrayBuffer()) }
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const [path = ''] = request.url!.split('?')
    proxy.calls.set(path, (proxy.calls.get(path) ?? 0) + 1)
    proxy.headers.push({ path, headers: request.headers })
    const fault = proxy.choose(path)
    if (fault) proxy.injected.set(fault, (proxy.injected.get(fault) ?? 0) + 1)
    switch (fault) {
      case '429':
        return refuse(response, 42901)
      case '503':
        return refuse(response, 50301)
      case '429 of a gateway':
        return void response.writeHead(429, { 'content-type': 'text/html' }).end('<h1>Slow down</h1>')
      case 'reset before':
        return void request.socket.resetAndDestroy()
      case 'late call':
        await pause(lateMs)
        return answer(response, await forward(request, body))
    }
    const whole = await forward(request, body)
    switch (fault) {
      case '503 of a gateway after':
        return void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Unavailable</h1>')
      case 'reset after':
        return void request.socket.resetAndDestroy()
      case 'late answer':
        await pause(lateMs)
        return answer(response, whole)
      case 'truncated after':
        // The connection ends in the middle of the body.
        response.writeHead(whole.status, { ...whole.headers, 'content-length': whole.body.length })
        response.write(whole.body.subarray(0, whole.body.length >> 1))
        return void setImmediate(() => request.socket.destroy())
      case 'shortened after':
        // Half of the body, with a length that fits.
        return answer(response, { ...whole, body: whole.body.subarray(0, whole.body.length >> 1) })
      default:
        return answer(response, whole)
    }
  }

  function refuse(response: ServerResponse, code: number): void {
    const headers = { 'content-type': 'application/json', 'retry-after': retryAfter }
    const body = Buffer.from(JSON.stringify({ code, msg: 'Later.', data: { request_id: 'x', errors: [] } }))
    answer(response, { status: Math.floor(code / 100), headers, body })
  }

  function answer(response: ServerResponse, { status, headers, body }: Answer): void {
    response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
  }

  const server = createServer((request, response) => {
    const passing: Promise<unknown> = pass(request, response)
      .catch(() => response.destroy())
      .finally(() => underWay.delete(passing))
    underWay.add(passing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: new Map(),
    headers: [],
    choose: () => undefined,
    injected: new Map(),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
