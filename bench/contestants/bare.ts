import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onEveryCore } from './every-core.ts'

/** node:http only: answers every request with the given bodies in rotation, and logs nothing. */
let bodies = [Buffer.alloc(0)]
let answered = 0
const server = createServer((_request, response) => {
  const body = bodies[answered++ % bodies.length]!
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  })
  response.end(body)
})

onEveryCore<{ bodies: string[] }>(async (message) => {
  bodies = message.bodies.map((body) => Buffer.from(body))
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
