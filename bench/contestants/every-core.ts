import cluster from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/**
 * Runs a contestant once per core on one port, as the service does. Each message of the bench goes to every process,
 * and is answered when all have processed it.
 */
export function onEveryCore<Message>(answer: (message: Message) => Promise<object>): void {
  process.once('disconnect', () => process.exit())
  if (cluster.isWorker) {
    process.on('message', async (message: Message) => process.send!(await answer(message)))
    return
  }
  const workers = Array.from({ length: availableParallelism() }, () => cluster.fork())
  process.on('message', async (message: object) => {
    const answers = workers.map(async (worker) => {
      worker.send(message)
      return (await once(worker, 'message'))[0]
    })
    process.send!((await Promise.all(answers))[0])
  })
}
