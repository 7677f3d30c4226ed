import { type BatchedCall, createBatcher, refuseOverdue } from './batcher.ts'
import type { Queryable } from './database.ts'
import { isRefused } from './failures.ts'
import { beginBatch } from './meter.ts'

/**
 * Makes changes of one organization in one statement. Returns their outcomes in order. Undefined: the change left nothing
 * and must be retried, because it lost a race or another change of the group touches the same record.
 */
type WriteMany<Change, Outcome> = (
  on: Queryable,
  corpId: string,
  changes: Change[],
) => Promise<(Outcome | undefined)[]>

type WriteOne<Change, Outcome> = (on: Queryable, corpId: string, change: Change) => Promise<Outcome>

const maxCalls = 64
const maxAttempts = 4
/** Two groups of one organization would often wait for each other. The next group grows without holding a connection. */
const maxGroups = 1

/**
 * Fast path for writes: changes that wait at the same time share one statement and its commit. A call resolves after the
 * commit. Inside a transaction, a change runs alone in that transaction.
 */
export function batchedWrite<Change, Outcome extends object>(
  writeMany: WriteMany<Change, Outcome>,
): WriteOne<Change, Outcome> {
  async function writeAlone(on: Queryable, corpId: string, change: Change): Promise<Outcome> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const [outcome] = await writeMany(on, corpId, [change])
      if (outcome) return outcome
    }
    throw new Error(`A change lost ${maxAttempts} races.`)
  }

  async function writeTogether({ on, corpId }: Asked<Change>, changes: Change[]) {
    try {
      return await writeMany(on, corpId, changes)
    } catch (error) {
      // A refused group left nothing, so each change can run alone: none fails because of another. After a lost
      // connection, the outcome is unknown.
      if (!isRefused(error)) throw error
      return []
    }
  }

  async function serve(calls: BatchedCall<Asked<Change>, Outcome>[]): Promise<void> {
    const asked = calls.map((call) => call.asked)
    const changes = asked.map(({ change }) => change)
    const endBatch = beginBatch('write', calls)
    const outcomes = calls.length > 1 ? await writeTogether(asked[0]!, changes).finally(endBatch) : []
    for (const [index, call] of calls.entries()) {
      const { on, corpId, change } = call.asked
      const outcome = outcomes[index]
      if (outcome) call.resolve(outcome)
      else if (refuseOverdue(call)) continue
      else await writeAlone(on, corpId, change).then(call.resolve, call.reject)
    }
  }

  const write = createBatcher({ maxCalls, maxGroups, serve })
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
