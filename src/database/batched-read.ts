import { type BatchedCall, createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'
import { beginBatch } from './meter.ts'

interface Organization {
  corp_id: string
  /** The zone of times in the answer. */
  time_zone: string
}

type ReadOne<Row> = (on: Queryable, organization: Organization, id: string) => Promise<Row | undefined>
type ReadMany<Row> = (on: Queryable, organization: Organization, ids: string[]) => Promise<Row[]>

const maxCalls = 256
const maxGroups = 2

/** Fast path for reads by id: calls that wait at the same time share one statement. */
export function batchedRead<Id extends string, Row extends Record<Id, string>>(
  id: Id,
  readMany: ReadMany<Row>,
): ReadOne<Row> {
  type Asked = { on: Queryable; organization: Organization; id: string }
  async function serve(calls: BatchedCall<Asked, Row | undefined>[]): Promise<void> {
    const { on, organization } = calls[0]!.asked
    const ids = calls.map(({ asked }) => asked.id)
    const endBatch = beginBatch('read', calls)
    let rows: Row[]
    try {
      rows = await readMany(on, organization, ids)
    } finally {
      endBatch()
    }
    // Searching a short list is faster than hashing new strings.
    const found: string[] = rows.map((row) => row[id])
    for (const { asked, resolve } of calls) resolve(rows[found.indexOf(asked.id)])
  }
  const read = createBatcher({ maxCalls, maxGroups, serve })
  return (on, organization, id) => read(keyOf(organization), { on, organization, id }, on.longestWaitMs)
}

const keys = new WeakMap<Organization, string>()

/** The batcher's key. Cached per organization: a new string would be hashed for every call. */
function keyOf(organization: Organization): string {
  let key = keys.get(organization)
  if (key === undefined) {
    key = `${organization.corp_id} ${organization.time_zone}`
    keys.set(organization, key)
  }
  return key
}
