import type { ModifiedList, ModifiedRecord } from '../search/modified-record-store.ts'
import type { StoredEvent } from './feed-store.ts'

const lists: Partial<Record<string, ModifiedList>> = { user: 'users', lead: 'leads' }

/**
 * The users and leads that events are about, each with a new time. Times grow strictly in the order of the events, and are
 * those of the events unless a commit was late. `previous` is the last time that was given out.
 */
export function modifiedBy(
  events: Pick<StoredEvent, 'record_type' | 'record_id' | 'at'>[],
  previous: string,
): { records: ModifiedRecord[]; last: string } {
  const records = new Map<string, ModifiedRecord>()
  let last = previous
  for (const { record_type, record_id, at } of events) {
    const list = lists[record_type]
    if (!list) continue
    last = at > last ? at : nextMicrosecond(last)
    records.set(`${list} ${record_id}`, { list, id: record_id, time: last })
  }
  return { records: [...records.values()], last }
}

/** Of an instant with six decimals, such as 2026-11-15T01:30:05.123456Z. */
function nextMicrosecond(at: string): string {
  const [second = '', fraction = ''] = at.slice(0, -1).split('.')
  const micros = Number(fraction) + 1
  if (micros < 1_000_000) return `${second}.${String(micros).padStart(6, '0')}Z`
  return `${new Date(Date.parse(`${second}Z`) + 1000).toISOString().slice(0, 19)}.000000Z`
}
