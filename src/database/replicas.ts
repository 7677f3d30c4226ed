import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '../contract/errors.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { readPrimaryPosition, readReplicaStanding } from './schema-store.ts'

/** Replicas with a limited lag, for reads that may be behind. */
export interface Replicas {
  /** The records of an organization on a replica that is fresh enough; on the primary where there is none, or it fails. */
  of: Database['of']
  maxLagMs: number
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
  const isFresh = ({ freshAsOf }: Replica) => performance.now() - freshAsOf <= maxLagMs
  const watches = replicas.map((replica, index) =>
    watch(primary, replica, maxLagMs / 4, closing.signal, (change) =>
      log[change === 'fresh' ? 'info' : 'warn']({ replica: index + 1 }, `the replica is ${change}`),
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
    of(corpId, origin, patience) {
      const onPrimary = primary.of(corpId, origin, patience)
      return {
        ...onPrimary,
        async query(statement) {
          const replica = choose()
          if (!replica) return onPrimary.query(statement)
          try {
            return await replica.db.of(corpId).query(statement)
          } catch (error) {
            if (error instanceof ApiError) throw error
            // What is wrong with the statement itself, the primary will say.
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

/** Times with the log position of the primary, oldest first. Replayed ones are dropped. */
interface Milestone {
  at: number
  position: string
}

const mostMilestones = 1000

async function watch(
  primary: Database,
  replica: Replica,
  everyMs: number,
  signal: AbortSignal,
  report: (change: 'fresh' | 'not reachable, or no replica to read from') => void,
): Promise<void> {
  let milestones: Milestone[] = []
  let wasUsable = false
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
      if (!wasUsable && reached > 0) report('fresh')
      wasUsable ||= reached > 0
    } catch {
      // Until the next look that succeeds, it grows stale by itself.
      if (wasUsable) report('not reachable, or no replica to read from')
      wasUsable = false
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
