import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** node:http and nothing else: answers whatever is asked with the body it was last given. */
let body = Buffer.alloc(0)
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('message', (text: string) => {
  body = Buffer.from(text)
  process.send!({ bytes: body.length })
})
process.once('disconnect', () => process.exit())
