import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { Mutation, SentAnswer, SentCall } from './mutation.ts'

export interface MutatingProxy {
  url: string
  /** The current mutation of the server. Undefined: none. */
  mutate(mutation: Mutation | undefined): void
  close(): Promise<void>
}

const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'content-encoding',
])

/** Passes calls to a server and changes at most one thing. */
export async function startMutatingProxy(target: string): Promise<MutatingProxy> {
  let mutation: Mutation | undefined
  const server = createServer((incoming, response) => {
    pass(incoming, response, target, mutation).catch((error) => response.writeHead(599).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mutate(next) {
      mutation = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: string,
  mutation: Mutation | undefined,
): Promise<void> {
  const sent = Buffer.concat(await incoming.toArray())
  const { pathname, searchParams } = new URL(incoming.url!, target)
  const call: SentCall = {
    path: pathname.slice('/api/v5/'.length),
    query: searchParams,
    headers: endToEnd(
      Object.entries(incoming.headersDistinct).map(([name, values]) => [name, values!.join(', ')]),
    ),
    body: jsonOf(sent.toString()),
  }
  const broken =
    mutation && (!mutation.of || call.path.replace(/^entity\//, '') === mutation.of) ? mutation : undefined
  broken?.call?.(call)
  const query = `${call.query}`
  const answered = await fetch(`${target}/api/v5/${call.path}${query && `?${query}`}`, {
    method: incoming.method!,
    headers: call.headers,
    ...(incoming.method !== 'GET' && { body: call.body === undefined ? sent : JSON.stringify(call.body) }),
  })
  const headers = endToEnd([...answered.headers])
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    response.writeHead(answered.status, Object.fromEntries(headers))
    const stream = Readable.fromWeb(answered.body as never)
    response.once('close', () => stream.destroy())
    stream.on('error', () => response.destroy()).pipe(response)
    return
  }
  const text = await answered.text()
  if (!broken?.answer) return void response.writeHead(answered.status, Object.fromEntries(headers)).end(text)
  const answer: SentAnswer = { status: answered.status, headers, body: jsonOf(text) }
  broken.answer(answer, call)
  response
    .writeHead(answer.status, Object.fromEntries(headers))
    .end(answer.text ?? JSON.stringify(answer.body))
}

function endToEnd(pairs: [string, string][]): Headers {
  return new Headers(pairs.filter(([name]) => !hopHeaders.has(name)))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
