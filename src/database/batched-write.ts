import { type BatchedCall, createBatcher, refuseOverdue } from './batcher.ts'
import { isRefused, type Queryable } from './database.ts'

/**
 * Makes changes of one organization in one statement. Each has its outcome, in the same order; undefined where it left
 * nothing and is to be tried again: it lost a race, or another of these changes touches the same record.
 */
type WriteMany<Change, Outcome> = (
  on: Queryable,
  corpId: string,
  changes: Change[],
) => Promise<(Outcome | undefined)[]>

type WriteOne<Change, Outcome> = (on: Queryable, corpId: string, change: Change) => Promise<Outcome>

const mostChanges = 64
const mostAttempts = 4
/** Of an organization: the next one grows meanwhile and holds no connection. Two would often wait for each other. */
const mostInFlight = 1

/**
 * A fast path for writes: changes that wait at the same moment share one statement and its commit. Whoever is answered
 * has been committed. Inside a transaction, a change is made there and alone.
 */
export function batchedWrite<Change, Outcome extends object>(
  writeMany: WriteMany<Change, Outcome>,
): WriteOne<Change, Outcome> {
  async function writeAlone(on: Queryable, corpId: string, change: Change): Promise<Outcome> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const [outcome] = await writeMany(on, corpId, [change])
      if (outcome) return outcome
    }
    throw new Error('A change kept losing races')
  }

  async function writeTogether({ on, corpId }: Asked<Change>, changes: Change[]) {
    try {
      return await writeMany(on, corpId, changes)
    } catch (error) {
      // What the database refused has left nothing, so that each may be tried alone: nobody pays for another's fault. A
      // lost connection, on the other hand, may have lost the news of a commit.
      if (!isRefused(error)) throw error
      return []
    }
  }

  async function serve(calls: BatchedCall<Asked<Change>, Outcome>[]): Promise<void> {
    const asked = calls.map((call) => call.asked)
    const changes = asked.map(({ change }) => change)
    const outcomes = calls.length > 1 ? await writeTogether(asked[0]!, changes) : []
    for (const [index, call] of calls.entries()) {
      const { on, corpId, change } = call.asked
      const outcome = outcomes[index]
      if (outcome) call.resolve(outcome)
      else if (refuseOverdue(call)) continue
      else await writeAlone(on, corpId, change).then(call.resolve, call.reject)
    }
  }

  const write = createBatcher(mostChanges, serve, mostInFlight)
  return (on, corpId, change) =>
    on.isTransaction
      ? writeAlone(on, corpId, change)
      : write(corpId, { on, corpId, change }, on.longestWaitMs)
}

interface Asked<Change> {
  on: Queryable
  corpId: string
  change: Change
}
