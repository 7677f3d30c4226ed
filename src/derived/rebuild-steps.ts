import type { Queryable } from '../database/database.ts'

/** The outcome of one batch of a rebuild. */
export interface RebuiltBatch {
  /** The key of the last record; undefined after the last batch. */
  last: string | undefined
  records: number
}

/** Rebuilds the next batch of records after a key, first ''. Each batch is a transaction of its own. */
export type RebuildBatch = (tx: Queryable, corp_id: string, after: string) => Promise<RebuiltBatch>

/** A batch over ids in their order. `rebuildAfter` rebuilds at most `limit` records, and returns their ids. */
export function byId(
  rebuildAfter: (tx: Queryable, corp_id: string, after: string, limit: number) => Promise<string[]>,
  limit: number,
): RebuildBatch {
  return async (tx, corp_id, after) => {
    const ids = await rebuildAfter(tx, corp_id, after, limit)
    return { last: ids.length < limit ? undefined : ids.at(-1), records: ids.length }
  }
}

/** Runs phases one after the other. The key of a batch begins with the number of its phase. */
export function inPhases(...phases: RebuildBatch[]): RebuildBatch {
  return async (tx, corp_id, after) => {
    const [, digits = '0', key = ''] = /^(\d+) (.*)$/s.exec(after) ?? []
    const phase = Number(digits)
    const { last, records } = await phases[phase]!(tx, corp_id, key)
    if (last !== undefined) return { last: `${phase} ${last}`, records }
    return { last: phase + 1 < phases.length ? `${phase + 1} ` : undefined, records }
  }
}

/** All batches in the transaction of the caller. Returns the number of records. */
export function inOneGo(batch: RebuildBatch): (tx: Queryable, corp_id: string) => Promise<number> {
  return async (tx, corp_id) => {
    let done = 0
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { last, records }: RebuiltBatch = await batch(tx, corp_id, after)
      done += records
      after = last
    }
    return done
  }
}
