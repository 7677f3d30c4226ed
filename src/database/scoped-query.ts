import pg from 'pg'
import type { Statement } from './sql.ts'

/**
 * Runs one statement with the organization set for it alone, in one round trip: "set the organization" and the
 * statement are two prepared executions before one Sync, which PostgreSQL runs as one implicit transaction.
 */
export async function scopedQuery<Row extends object>(
  client: pg.PoolClient,
  corpId: string,
  statement: Statement,
): Promise<Row[]> {
  if (!ready.has(client)) {
    await client.query({ ...setOrganization, values: [corpId] })
    ready.add(client)
  }
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult<Row>) =>
      error ? reject(error) : resolve(result.rows)
    client.query(new ScopedQuery(statement, corpId, done as never) as unknown as pg.Query)
  })
}

/** Returns no row, so that the answer of the pipeline is the statement's own. */
const setOrganization = {
  name: 'set_organization',
  text: `select 1 where set_config('app.corp_id', $1, true) is null`,
}

/** The connections on which setOrganization is prepared. */
const ready = new WeakSet<pg.PoolClient>()

/** The members of pg's connection that a query object works with. */
interface Wire {
  bind(message: { portal: string; statement: string; values: string[] }): void
  execute(message: { portal: string; rows: number }): void
}

/** pg's own query, with one more execution in front. */
class ScopedQuery extends (pg.Query as unknown as new (
  config: object,
  values: undefined,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => { prepare(wire: Wire): void; handleCommandComplete(message: object, wire: Wire): void }) {
  private readonly corpId: string
  private organizationIsSet = false

  constructor(
    statement: Statement,
    corpId: string,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ ...statement, queryMode: 'extended' }, undefined, callback)
    this.corpId = corpId
  }

  override prepare(wire: Wire): void {
    wire.bind({ portal: '', statement: setOrganization.name, values: [this.corpId] })
    wire.execute({ portal: '', rows: 0 })
    super.prepare(wire)
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.organizationIsSet) super.handleCommandComplete(message, wire)
    this.organizationIsSet = true
  }
}
