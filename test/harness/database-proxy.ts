import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export const networkFaults = [
  'reset',
  'black hole',
  'delay',
  'half-close',
  'cut before commit',
  'cut after commit',
] as const
export type NetworkFault = (typeof networkFaults)[number]

/** A proxy between a server and its database that injects faults. */
export interface DatabaseProxy {
  port: number
  /** Stops forwarding in both directions, until it is resumed. */
  freeze(): void
  thaw(): void
  /** Breaks the next connection that sends bytes. Resolves once it is broken. */
  harmNext(fault: NetworkFault): Promise<void>
  close(): Promise<void>
}

const delayMs = 400

export async function startDatabaseProxy({
  host,
  port,
}: {
  host: string
  port: number
}): Promise<DatabaseProxy> {
  const pairs = new Set<{ client: Socket; database: Socket }>()
  let isFrozen = false
  let wanted: { fault: NetworkFault; done(): void } | undefined

  const server = createServer((client) => {
    const database = connect(join(host, `.s.PGSQL.${port}`))
    const pair = { client, database }
    pairs.add(pair)
    for (const socket of [client, database]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        database.destroy()
      })
    }
    if (isFrozen) for (const socket of [client, database]) socket.pause()
    let isHole = false
    client.on('data', (bytes: Buffer) => {
      if (isHole) return
      const fault = wanted && matches(wanted.fault, bytes) ? wanted : undefined
      if (!fault) return void database.write(bytes)
      wanted = undefined
      fault.done()
      harm(fault.fault, pair, bytes, () => {
        isHole = true
      })
    })
    database.on('data', (bytes) => {
      if (!isHole) client.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    freeze() {
      isFrozen = true
      for (const { client, database } of pairs) for (const socket of [client, database]) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const { client, database } of pairs) for (const socket of [client, database]) socket.resume()
    },
    harmNext(fault) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wanted = { fault, done: resolve }
      return promise
    },
    async close() {
      server.close()
      for (const { client, database } of pairs) for (const socket of [client, database]) socket.destroy()
    },
  }
}

function matches(fault: NetworkFault, bytes: Buffer): boolean {
  return !fault.includes('commit') || bytes.includes('commit')
}

function harm(
  fault: NetworkFault,
  { client, database }: { client: Socket; database: Socket },
  bytes: Buffer,
  swallow: () => void,
): void {
  switch (fault) {
    case 'reset':
      client.resetAndDestroy()
      return
    case 'black hole':
      swallow()
      return
    case 'delay':
      setTimeout(() => database.write(bytes), delayMs)
      return
    case 'half-close':
      database.write(bytes)
      client.end()
      return
    case 'cut before commit':
      client.destroy()
      return
    case 'cut after commit':
      swallow()
      // The request arrives, its response does not.
      database.write(bytes, () => setTimeout(() => client.destroy(), 50))
  }
}
