import pg from 'pg'
import { referenceTables, tenantTables } from './tables.ts'

/** What was done about a table, or that it had been done already. */
export interface Distribution {
  table: string
  kind: 'reference' | 'distributed'
  isNew: boolean
}

/**
 * Turns the tables of a Citus cluster into tables that are distributed by corp_id and lie together, those that span
 * organizations into reference tables. What has been done already is left as it is.
 */
export async function distribute(connection: pg.ClientConfig): Promise<Distribution[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await refuseWithoutCitus(client)
    const { rows } = await client.query<{ name: string }>(
      'select logicalrelid::regclass::text as name from pg_dist_partition',
    )
    const plan = planDistribution(new Set(rows.map(({ name }) => name)))
    for (const { text } of plan) if (text !== undefined) await client.query(text)
    return plan.map(({ table, kind, text }) => ({ table, kind, isNew: text !== undefined }))
  } finally {
    await client.end()
  }
}

interface Step {
  table: string
  kind: Distribution['kind']
  /** Absent where there is nothing left to do. */
  text?: string
}

/** Whoever is referred to comes first: reference tables, then tenant tables in the order in which they are listed. */
export function planDistribution(done: Set<string>): Step[] {
  const [anchor] = tenantTables
  const steps: Step[] = [
    ...referenceTables.map((table) => ({
      table,
      kind: 'reference' as const,
      text: `select create_reference_table('${table}')`,
    })),
    ...tenantTables.map((table) => ({
      table,
      kind: 'distributed' as const,
      text: `select create_distributed_table('${table}', 'corp_id', colocate_with => '${table === anchor ? 'none' : anchor}')`,
    })),
  ]
  return steps.map(({ table, kind, text }) => (done.has(table) ? { table, kind } : { table, kind, text }))
}

async function refuseWithoutCitus(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  if (rowCount) return
  throw new Error(
    'This database has no Citus: name the coordinator of a Citus cluster in DATABASE_URL and run "create extension citus" there first.',
  )
}
