import type { Queryable } from './database.ts'

/** Reads one record by its id. */
type ReadOne<Row> = (on: Queryable, corpId: string, id: string) => Promise<Row | undefined>
type ReadMany<Row> = (on: Queryable, corpId: string, ids: string[]) => Promise<Map<string, Row>>

const mostInFlight = 2
const mostIds = 256

/**
 * A fast path for reads by id: calls that wait at the same moment share one statement, two statements per organization
 * at a time. A lone call goes at once; under load a statement serves dozens, which is where the rate comes from.
 */
export function sharedRead<Row>(readMany: ReadMany<Row>): ReadOne<Row> {
  const queues = new Map<string, Queue<Row>>()
  return (on, corpId, id) => {
    let queue = queues.get(corpId)
    if (!queue) {
      queue = { waiting: [], inFlight: 0 }
      queues.set(corpId, queue)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    queue.waiting.push({ id, resolve, reject })
    if (queue.inFlight < mostInFlight) void flush(queue)
    return promise

    async function flush(queue: Queue<Row>): Promise<void> {
      queue.inFlight++
      // Whatever else arrived in this turn of the event loop comes along.
      await new Promise(setImmediate)
      while (queue.waiting.length > 0) await serve(queue.waiting.splice(0, mostIds))
      queue.inFlight--
      if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(corpId)
    }

    async function serve(calls: Waiting<Row>[]): Promise<void> {
      try {
        const rows = await readMany(on, corpId, [...new Set(calls.map((call) => call.id))])
        for (const call of calls) call.resolve(rows.get(call.id))
      } catch (error) {
        for (const call of calls) call.reject(error as Error)
      }
    }
  }
}

interface Waiting<Row> {
  id: string
  resolve(row: Row | undefined): void
  reject(error: Error): void
}

interface Queue<Row> {
  waiting: Waiting<Row>[]
  inFlight: number
}
