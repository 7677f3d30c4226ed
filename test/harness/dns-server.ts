import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** In the format of the setting. */
  address: string
  /** TXT records by name. Other names do not exist. */
  records: Map<string, string[]>
  /** The requested names. */
  asked: string[]
  /** Whether it answers requests. */
  isSilent: boolean
  close(): Promise<void>
}

/** A name server for TXT records, on this machine. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    asked: [],
    isSilent: false,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, { port, address }) => {
    const { name, question } = readQuestion(query)
    server.asked.push(name)
    if (server.isSilent) return
    const texts = server.records.get(name)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A response, recursion available; 3: the name does not exist.
    header.writeUInt16BE(0x8180 | (texts ? 0 : 3), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(texts?.length ?? 0, 6)
    socket.send(Buffer.concat([header, question, ...(texts ?? []).map(textRecord)]), port, address)
  })
  return server
}

function readQuestion(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), question: query.subarray(12, at + 5) }
}

/** A TXT record of the queried name: class IN, one minute, pieces of at most 255 bytes. */
function textRecord(text: string): Buffer {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255)
    pieces.push(Buffer.from([piece.length]), piece)
  }
  const data = Buffer.concat(pieces)
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
