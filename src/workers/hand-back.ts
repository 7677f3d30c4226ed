import type { Worker } from 'node:cluster'

interface ClusterMessage {
  cmd?: string
  act?: string
  seq?: number
  ack?: number
}

/**
 * Gives connections that a dying worker was handed, but never took, to another worker. Node forgets them: their clients
 * would wait for ever. It asks the worker whether it takes a connection (newconn, with a number) and goes on when the
 * worker answers (ack); here the answer "not accepted" is given in the place of a worker that cannot any more. Should
 * node's messages change one day, nothing is noted and nothing happens.
 */
export function handBackConnections(worker: Worker): void {
  const offered = new Set<number>()
  const { process } = worker
  const send = process.send
  process.send = function (this: typeof process, message: ClusterMessage, ...rest: unknown[]) {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn') offered.add(message.seq!)
    return send.call(this, message as never, ...(rest as []))
  } as typeof send
  process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) offered.delete(ack)
  })
  worker.once('exit', () => {
    for (const ack of offered)
      process.emit('internalMessage' as never, { cmd: 'NODE_CLUSTER', ack, accepted: false } as never)
  })
}
