import type { Worker } from 'node:cluster'

/** Connections on their way to a worker. */
export interface Handovers {
  /** Gives those that a worker had been offered when it died to another one. */
  watch(worker: Worker): void
  /** Closes those that no worker takes any more; to be called now and then while workers stop. */
  closeUnclaimed(): void
}

interface Connection {
  close(): void
}

interface ClusterMessage {
  cmd?: string
  act?: string
  seq?: number
  ack?: number
  accepted?: boolean
}

/**
 * Node offers each connection to a worker in turn (newconn, with a number) and goes on when the worker answers (ack). It
 * forgets what it had offered to a worker that died, and keeps what was declined while all of them stop: in both cases
 * a client would wait for an answer that never comes. So the answer of a dead worker is given in its place, and what is
 * left in the end is closed. Should node's messages change one day, nothing is noted and nothing happens.
 */
export function createHandovers(): Handovers {
  /** Declined, and not offered to anybody since; true once it was found so. */
  const unclaimed = new Map<Connection, boolean>()
  return {
    watch(worker) {
      const offered = new Map<number, Connection>()
      const { process } = worker
      const send = process.send
      process.send = function (this: typeof process, message: ClusterMessage, ...rest: unknown[]) {
        if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn') {
          offered.set(message.seq!, rest[0] as Connection)
          unclaimed.delete(rest[0] as Connection)
        }
        return send.call(this, message as never, ...(rest as []))
      } as typeof send
      // Before node's own listener, which may offer a declined connection to another worker at once.
      process.prependListener('internalMessage', ({ ack, accepted }: ClusterMessage) => {
        const connection = ack === undefined ? undefined : offered.get(ack)
        if (!connection) return
        offered.delete(ack!)
        if (!accepted) unclaimed.set(connection, false)
      })
      worker.once('exit', () => {
        for (const ack of offered.keys())
          process.emit('internalMessage' as never, { cmd: 'NODE_CLUSTER', ack, accepted: false } as never)
      })
    },
    closeUnclaimed() {
      for (const [connection, wasFound] of unclaimed) {
        if (wasFound) {
          unclaimed.delete(connection)
          connection.close()
        } else unclaimed.set(connection, true)
      }
    },
  }
}
