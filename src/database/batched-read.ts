import { type BatchedCall, createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'

interface Organization {
  corp_id: string
  /** Where times are shown. */
  time_zone: string
}

type ReadOne<Row> = (on: Queryable, organization: Organization, id: string) => Promise<Row | undefined>
type ReadMany<Row> = (on: Queryable, organization: Organization, ids: string[]) => Promise<Row[]>

const mostIds = 256
const mostInFlight = 2

/** A fast path for reads by the id of a row: calls that wait at the same moment share one statement. */
export function batchedRead<Id extends string, Row extends Record<Id, string>>(
  id: Id,
  readMany: ReadMany<Row>,
): ReadOne<Row> {
  type Asked = { on: Queryable; organization: Organization; id: string }
  async function serve(calls: BatchedCall<Asked, Row | undefined>[]): Promise<void> {
    const { on, organization } = calls[0]!.asked
    const rows = await readMany(
      on,
      organization,
      calls.map(({ asked }) => asked.id),
    )
    // To look through a few is faster than to hash ids that were read just now.
    const found: string[] = rows.map((row) => row[id])
    for (const { asked, resolve } of calls) resolve(rows[found.indexOf(asked.id)])
  }
  const read = createBatcher(mostIds, serve, mostInFlight)
  return (on, organization, id) => read(lineOf(organization), { on, organization, id }, on.longestWaitMs)
}

const lines = new WeakMap<Organization, string>()

/** Who waits together. Made once for what is remembered of an organization: a new text would be hashed for every call. */
function lineOf(organization: Organization): string {
  let line = lines.get(organization)
  if (line === undefined) {
    line = `${organization.corp_id} ${organization.time_zone}`
    lines.set(organization, line)
  }
  return line
}
