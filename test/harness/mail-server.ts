import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The whole message. */
  raw: string
}

/** How the server behaves. */
interface Manners {
  /** Replies this to the recipient, or to the message. */
  refusesRecipient?: { code: number; text: string }
  refusesMessage?: { code: number; text: string }
  /** Drops the connection at its begin, or after the message. */
  drops?: 'connection' | 'message'
  /** Never replies to the message. */
  isSilent?: boolean
  /** The only login. */
  login?: { user: string; pass: string }
}

export interface TestMailServer {
  url: URL
  received: ReceivedMail[]
  /** Connections so far. */
  connections: number
  /** May be changed between mails. */
  manners: Manners
  close(): Promise<void>
}

/** A real mail server in this process. */
export async function startMailServer(manners: Manners = {}): Promise<TestMailServer> {
  const held = new Set<() => void>()
  const served: Omit<TestMailServer, 'url'> = {
    received: [],
    connections: 0,
    manners,
    async close() {
      for (const release of held) release()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  const failing = ({ code, text }: { code: number; text: string }) =>
    Object.assign(new Error(text), { responseCode: code })
  const server = new SMTPServer({
    authOptional: manners.login === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect(session, callback) {
      served.connections++
      if (served.manners.drops === 'connection') {
        for (const each of server.connections) each._socket.destroy()
        return
      }
      void session
      callback()
    },
    onAuth({ username, password }, _session, callback) {
      const { login } = served.manners
      if (username === login?.user && password === login?.pass) callback(null, { user: username })
      else callback(failing({ code: 535, text: 'wrong login' }))
    },
    onRcptTo(_address, _session, callback) {
      const { refusesRecipient } = served.manners
      callback(refusesRecipient ? failing(refusesRecipient) : null)
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { refusesMessage, drops, isSilent } = served.manners
        if (refusesMessage) {
          callback(failing(refusesMessage))
          return
        }
        served.received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        if (isSilent) held.add(callback)
        else if (drops === 'message') for (const each of server.connections) each._socket.destroy()
        else callback()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return Object.assign(served, { url: new URL(`smtp://127.0.0.1:${port}`) })
}
