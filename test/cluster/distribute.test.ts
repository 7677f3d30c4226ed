import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase } from '../../src/database/database.ts'
import { distribute } from '../../src/database/distribute.ts'
import { migrate } from '../../src/database/migrate.ts'
import { referenceTables, tenantTables } from '../../src/database/tables.ts'
import { insertPlainOrders, insertPlainUser, plainOrder } from '../harness/orders.ts'
import { createAuditor, makeSchema, withClient } from './prepare.ts'

/** The tables of a single server with data, before the distribution. */
const url = inject('cluster')!
const connection = { connectionString: url }
let before: Standing

beforeAll(async () => {
  await withClient(connection, (client) => makeSchema(client, url))
  const db = openDatabase(connection)
  for (let n = 0; n < 5; n++) {
    const { corp_id } = await createOrganization(db, { name: `School ${n}` }, new Date())
    const on = db.of(corp_id)
    const user_id = await insertPlainUser(on, corp_id)
    await insertPlainOrders(on, corp_id, user_id, [plainOrder(), plainOrder({ status: 'success' })])
  }
  await db.close()
  before = await lookAt()
  expect(before.distributed).toEqual([])
  expect(before.keys.length).toBeGreaterThan(20)
  expect(before.rows.orders).toBe(10)
})
// Later tests need the cluster unchanged.
afterAll(() => withClient(connection, createAuditor))

describe('an interrupted distribution', () => {
  const cuts: [string, RegExp, number][] = [
    ['while it drops foreign keys', / drop constraint /, 5],
    ['before the first table', /create_reference_table/, 1],
    ['among the tables', /create_distributed_table/, 8],
    ['before row-level security is forced again', /^alter table \w+ force /, 3],
    ['while it adds foreign keys', / add constraint /, 7],
    ['before its last word', /^commit$/, 1],
  ]

  test.each(cuts)(
    '%s leaves every row, every key and row-level security unchanged',
    async (_, text, times) => {
      await expect(distributeUntil(text, times)).rejects.toThrow()
      expect(await lookAt()).toEqual(before)
    },
  )
})

describe('a distribution', () => {
  test('distributes every table, and keeps every row and every key', async () => {
    const done = await distribute(connection)
    expect(done.every(({ isNew }) => isNew)).toBe(true)
    const { distributed, ...rest } = await lookAt()
    expect(distributed).toEqual([...tenantTables, ...referenceTables].toSorted())
    const { distributed: _, ...unchanged } = before
    expect(rest).toEqual(unchanged)
  })

  test('puts all rows of an organization on one node', async () => {
    const { rows } = await withClient(connection, (client) =>
      client.query(
        `select count(distinct colocation_id)::int as groups from citus_tables where distribution_column = 'corp_id'`,
      ),
    )
    expect(rows).toEqual([{ groups: 1 }])
  })

  test('can be repeated without an effect', async () => {
    expect((await distribute(connection)).filter(({ isNew }) => isNew)).toEqual([])
  })

  test('enforces foreign keys: an order without a user is refused on its node', async () => {
    const db = openDatabase({ ...connection, queryMode: { prepared: true, sharded: true } })
    const { corp_id } = await createOrganization(db, { name: 'School' }, new Date())
    const orders = insertPlainOrders(db.of(corp_id), corp_id, newId(), [plainOrder()])
    await expect(orders).rejects.toThrow(/foreign key constraint/)
    await db.close()
  })

  test('is detected by the next start of a server, which changes nothing', async () => {
    expect((await migrate(connection)).pending).toEqual([])
  })
})

/** Ends the connection, as a crash would, before it sends the nth text of a kind. */
async function distributeUntil(pattern: RegExp, times: number): Promise<void> {
  type Sent = pg.Client & { connection: { stream: { destroy(): void } } }
  const prototype = pg.Client.prototype as unknown as { query(this: Sent, ...sent: unknown[]): unknown }
  const { query } = prototype
  let seen = 0
  prototype.query = function (...sent) {
    const [text] = sent
    if (typeof text === 'string' && pattern.test(text) && ++seen === times) this.connection.stream.destroy()
    return query.apply(this, sent)
  }
  try {
    await distribute(connection)
  } finally {
    prototype.query = query
  }
}

/** Citus keeps its copies of reference tables next to them. */
const ours = literals([...tenantTables, ...referenceTables])

function literals(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}

interface Standing {
  distributed: string[]
  keys: string[]
  unwalled: string[]
  rows: Record<string, number>
}

async function lookAt(): Promise<Standing> {
  return withClient(connection, async (client) => {
    const list = async (text: string) => (await client.query(text)).rows.map(({ name }) => name as string)
    const rows: Record<string, number> = {}
    const organizations = await list('select corp_id as name from organizations order by 1')
    for (const table of tenantTables) rows[table] = 0
    for (const corp_id of organizations) {
      await client.query('begin')
      await client.query(`set local citus.propagate_set_commands = 'local'`)
      await client.query(`set local app.corp_id = ${client.escapeLiteral(corp_id)}`)
      for (const table of tenantTables) {
        const counted = await client.query(`select count(*)::int as n from ${table} where corp_id = $1`, [
          corp_id,
        ])
        rows[table]! += counted.rows[0].n
      }
      await client.query('commit')
    }
    return {
      distributed: await list(
        `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't' order by 1`,
      ),
      keys: await list(`
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as name
          from pg_constraint where contype = 'f' and conrelid::regclass::text in (${ours}) order by 1`),
      unwalled: await list(`
        select relname as name from pg_class
         where relname in (${ours}) and relname not in (${literals(referenceTables)}) and relkind = 'r'
           and not (relrowsecurity and relforcerowsecurity)`),
      rows,
    }
  })
}
