import { type BatchedCall, createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'

interface Organization {
  corp_id: string
  /** Where times are shown. */
  time_zone: string
}

type ReadOne<Row> = (on: Queryable, organization: Organization, id: string) => Promise<Row | undefined>
type ReadMany<Row> = (on: Queryable, organization: Organization, ids: string[]) => Promise<Map<string, Row>>

const mostIds = 256
const mostInFlight = 2

/** A fast path for reads by id: calls that wait at the same moment share one statement. */
export function batchedRead<Row>(readMany: ReadMany<Row>): ReadOne<Row> {
  type Asked = { on: Queryable; organization: Organization; id: string }
  async function serve(calls: BatchedCall<Asked, Row | undefined>[]): Promise<void> {
    const { on, organization } = calls[0]!.asked
    const ids = calls.map(({ asked }) => asked.id)
    const rows = await readMany(on, organization, ids)
    for (const { asked, resolve } of calls) resolve(rows.get(asked.id))
  }
  const read = createBatcher(mostIds, serve, mostInFlight)
  return (on, organization, id) => {
    const { corp_id, time_zone } = organization
    return read(`${corp_id} ${time_zone}`, { on, organization, id }, on.longestWaitMs)
  }
}
