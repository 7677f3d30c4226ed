import pg from 'pg'
import { inQueryMode, type SessionSettings, setLocalTexts, setOrganizationText } from './query-mode.ts'
import type { Statement } from './sql.ts'

/**
 * Runs one statement with the organization set for it alone, in one round trip: "set the organization" and the
 * statement are two executions before one Sync, which PostgreSQL runs as one implicit transaction. A sharded engine gets
 * an explicit one, in one round trip all the same.
 */
export async function scopedQuery<Row extends object>(
  client: pg.PoolClient,
  corpId: string,
  statement: Statement,
  session: SessionSettings,
): Promise<Row[]> {
  const { prepared, sharded } = session.queryMode
  if (prepared && !sharded && !ready.has(client)) {
    await client.query({ name: setOrganization, text: setOrganizationText(session), values: [corpId] })
    ready.add(client)
  }
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult<Row>) =>
      error ? reject(error) : resolve(result.rows)
    const query = new ScopedQuery(
      inQueryMode(statement, session.queryMode),
      framesOf(corpId, session),
      done as never,
    )
    client.query(query as unknown as pg.Query)
  })
}

const setOrganization = 'set_organization'

/** The connections on which setOrganization is prepared. */
const ready = new WeakSet<pg.PoolClient>()

/** An execution around the statement: of something prepared, or of a text. */
interface Frame {
  prepared?: string
  text?: string
  values: string[]
}

interface Frames {
  before: Frame[]
  after: Frame[]
}

function framesOf(corpId: string, session: SessionSettings): Frames {
  const { prepared, sharded } = session.queryMode
  if (sharded) {
    const frame = (text: string): Frame => ({ text, values: [] })
    return { before: ['begin', ...setLocalTexts(corpId, session)].map(frame), after: [frame('commit')] }
  }
  const how = prepared ? { prepared: setOrganization } : { text: setOrganizationText(session) }
  return { before: [{ ...how, values: [corpId] }], after: [] }
}

/** The members of pg's connection that a query object works with. */
interface Wire {
  parse(message: { name: string; text: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: string[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

/** pg's own query, with further executions in front and behind. */
class ScopedQuery extends (pg.Query as unknown as new (
  config: object,
  values: undefined,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => {
  prepare(wire: Wire): void
  _getRows(wire: Wire): void
  handleCommandComplete(message: object, wire: Wire): void
}) {
  private readonly frames: Frames
  private completed = 0

  constructor(
    statement: object,
    frames: Frames,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ ...statement, queryMode: 'extended' }, undefined, callback)
    this.frames = frames
  }

  override prepare(wire: Wire): void {
    for (const frame of this.frames.before) sendFrame(wire, frame)
    super.prepare(wire)
  }

  /** Executes the statement and ends the pipeline. */
  override _getRows(wire: Wire): void {
    wire.execute({ portal: '', rows: 0 })
    for (const frame of this.frames.after) sendFrame(wire, frame)
    wire.sync()
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.completed++ === this.frames.before.length) super.handleCommandComplete(message, wire)
  }
}

function sendFrame(wire: Wire, { prepared, text, values }: Frame): void {
  if (text !== undefined) wire.parse({ name: '', text, types: [] })
  wire.bind({ portal: '', statement: prepared ?? '', values })
  wire.execute({ portal: '', rows: 0 })
}
