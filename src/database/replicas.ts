import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '../contract/errors.ts'
import { type CallBudget, type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { readPrimaryPosition, readReplicaStanding } from './schema-store.ts'

/** Replicas with a limited lag, for reads that may be behind. */
export interface Replicas {
  /** The records of an organization on a replica that is fresh enough; on the primary where there is none, or it fails. */
  of: Database['of']
  maxLagMs: number
  /** The lag of each replica, at most, in the order of the settings. Infinity before the first contact. */
  lagsMs(): number[]
  close(): Promise<void>
}

interface Replica {
  db: Database
  /** The moment up to which it is known to have everything, on our own clock. */
  freshAsOf: number
}

/**
 * Measures the lag by log positions of the primary that a replica has replayed. Wrong clocks and a broken replication,
 * which looks idle from the replica, cannot deceive it.
 */
export function openReplicas(
  primary: Database,
  options: DatabaseOptions[],
  maxLagMs: number,
  log: Pick<Logger, 'warn' | 'info'>,
): Replicas {
  const replicas: Replica[] = options.map((each) => ({ db: openDatabase(each), freshAsOf: -Infinity }))
  const closing = new AbortController()
  const isFresh = (replica: Replica) => lagMsOf(replica) <= maxLagMs
  const watches = replicas.map((replica, index) =>
    watch(primary, replica, { everyMs: maxLagMs / 4, maxLagMs, signal: closing.signal }, (state, lagMs) =>
      log[state === 'fresh' ? 'info' : 'warn'](
        { replica: index + 1, ...(Number.isFinite(lagMs) && { lagMs: Math.round(lagMs) }) },
        sentences[state],
      ),
    ),
  )
  let next = 0

  function choose(): Replica | undefined {
    for (let tried = 0; tried < replicas.length; tried++) {
      const replica = replicas[next++ % replicas.length]!
      if (isFresh(replica)) return replica
    }
    return undefined
  }

  return {
    maxLagMs,
    lagsMs: () => replicas.map(lagMsOf),
    of(corpId, origin, budget) {
      const onPrimary = primary.of(corpId, origin, budget)
      return {
        ...onPrimary,
        async query(statement) {
          const replica = choose()
          if (!replica) return onPrimary.query(statement)
          try {
            return await replica.db.of(corpId, undefined, unlimited(budget)).query(statement)
          } catch (error) {
            if (error instanceof ApiError) throw error
            // If the statement itself is wrong, the primary reports it.
            replica.freshAsOf = -Infinity
            return onPrimary.query(statement)
          }
        },
      }
    },
    async close() {
      closing.abort()
      await Promise.all(watches)
      await Promise.all(replicas.map(({ db }) => db.close()))
    },
  }
}

/** Only the times of the call: whether a replica answers does not depend on earlier waits. */
function unlimited(budget: CallBudget | undefined): CallBudget {
  return { endsAtMs: Number.POSITIVE_INFINITY, times: budget?.times }
}

/** Times with the log position of the primary, oldest first. Replayed ones are dropped. */
interface Milestone {
  at: number
  position: string
}

const mostMilestones = 1000

function lagMsOf({ freshAsOf }: Replica): number {
  return performance.now() - freshAsOf
}

type ReplicaState = 'fresh' | 'behind' | 'unusable'

const sentences: Record<ReplicaState, string> = {
  fresh: 'the replica is fresh: lists are read from it',
  behind: 'the replica is behind: lists are read from the primary',
  unusable: 'the replica is not reachable, or no replica to read from: lists are read from the primary',
}

interface Watching {
  everyMs: number
  maxLagMs: number
  signal: AbortSignal
}

/** Reports each change of the state once. A replica that has never been fresh is not reported as behind. */
async function watch(
  primary: Database,
  replica: Replica,
  { everyMs, maxLagMs, signal }: Watching,
  report: (state: ReplicaState, lagMs: number) => void,
): Promise<void> {
  let milestones: Milestone[] = []
  let state: ReplicaState | undefined
  const change = (next: ReplicaState) => {
    if (next === state || (state === undefined && next === 'behind')) return
    state = next
    report(state, lagMsOf(replica))
  }
  while (!signal.aborted) {
    try {
      const at = performance.now()
      milestones = [...milestones, { at, position: await readPrimaryPosition(primary.shared) }]
      const reached = await readReplicaStanding(
        replica.db.shared,
        milestones.map(({ position }) => position),
      )
      replica.freshAsOf = reached === 0 ? replica.freshAsOf : milestones[reached - 1]!.at
      milestones = milestones.slice(reached).slice(-mostMilestones)
      change(lagMsOf(replica) <= maxLagMs ? 'fresh' : 'behind')
    } catch {
      // Until the next look that succeeds, it grows stale by itself.
      if (!signal.aborted) change('unusable')
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
