import type { OrganizationEndpoint } from '../../contract/endpoint.ts'
import type { Origin } from '../../contract/origin.ts'
import type { CallBudget, Queryable } from '../../database/database.ts'
import type { Services } from '../call.ts'

interface Caller {
  app_id: string
}

/** Lists may be read from a replica, unless the caller has just written: the write would seem lost. */
export function chooseDatabase(
  { db, replicas, memory }: Services,
  endpoint: Pick<OrganizationEndpoint, 'mayLag'>,
  caller: Caller,
  corpId: string,
  { origin, budget }: { origin?: Origin | undefined; budget?: CallBudget } = {},
): Queryable | Promise<Queryable> {
  if (!replicas || !endpoint.mayLag) return db.of(corpId, origin, budget)
  const choose = (hasWritten: boolean) => (hasWritten ? db : replicas).of(corpId, origin, budget)
  const hasWritten = memory.recentWriters.isMarked(caller.app_id, Date.now())
  return hasWritten instanceof Promise ? hasWritten.then(choose) : choose(hasWritten)
}

/** Marks the caller before the response to its write is sent. A failed call may have written too. */
export async function notingWrite<T>(
  { replicas, memory }: Services,
  caller: Caller,
  write: Promise<T>,
): Promise<T> {
  if (!replicas) return write
  try {
    return await write
  } finally {
    await memory.recentWriters.mark(caller.app_id, Date.now() + replicas.maxLagMs)
  }
}
