import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { appRole } from '../../src/database/migrate.ts'
import { sql } from '../../src/database/sql.ts'
import { tenantTables } from '../../src/database/tables.ts'
import { foundSchool, stockOrders } from '../conformance/school.ts'
import { auditorRole } from '../harness/cluster.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const url = inject('cluster')!
/** Enough that every node holds some. */
const schools = 8

let server: TestServer
let corpIds: string[]
let nodes: { host: string; port: number }[]

beforeAll(async () => {
  server = await startTestServer('matricula')
  corpIds = []
  for (let n = 0; n < schools; n++) {
    const school = await foundSchool(server)
    if (n === 0) await stockOrders(server, school)
    corpIds.push(school.corp_id)
  }
  const { rows } = await server.database.owner.pool.query(
    'select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by 1, 2',
  )
  nodes = rows
})
afterAll(() => server?.close())

describe('through the coordinator', () => {
  const counts = sql`select count(*) as count from users`

  test('without an organization no row is visible, and with one only its rows', async () => {
    const { db } = server
    expect(await db.shared.query(counts)).toEqual([{ count: 0 }])
    for (const corp_id of corpIds) {
      const seen = await db.of(corp_id).query<{ corp_id: string }>(sql`select distinct corp_id from users`)
      expect(seen).toEqual([{ corp_id }])
      const inside = db.of(corp_id).transaction((tx) => tx.query(sql`select distinct corp_id from users`))
      expect(await inside).toEqual([{ corp_id }])
    }
  })

  test('rows of another organization can neither be read, changed, deleted nor inserted', async () => {
    const [own, other] = corpIds as [string, string]
    const on = server.db.of(own)
    expect(await on.query(sql`select user_id from users where corp_id = ${other}`)).toEqual([])
    expect(
      await on.query(sql`update users set name = 'x' where corp_id = ${other} returning user_id`),
    ).toEqual([])
    expect(await on.query(sql`delete from user_tags where corp_id = ${other} returning corp_id`)).toEqual([])
    await expect(
      on.query(sql`
        insert into users (corp_id, user_id, pool, ctime, mtime) values (${other}, 'intruder', 'public', now(), now())`),
    ).rejects.toThrow(/row-level security/)
  })

  test('row-level security also applies to the owner of the tables', async () => {
    const { owner } = server.database
    expect(await owner.shared.query(counts)).toEqual([{ count: 0 }])
    const seen = await owner.of(corpIds[0]!).query(sql`select distinct corp_id from users`)
    expect(seen).toEqual([{ corp_id: corpIds[0] }])
  })
})

describe('on the nodes themselves', () => {
  test('every shard of every tenant table has forced row-level security', async () => {
    for (const node of nodes) {
      const pieces = await onNode(node, appRole, (client) => shardsOf(client))
      expect(new Set(pieces.map(({ table }) => table))).toEqual(new Set(tenantTables))
      expect(pieces.filter(({ isolated }) => !isolated)).toEqual([])
    }
  })

  test('the app role sees no rows without an organization, and only own rows with one', async () => {
    let sights = 0
    for (const node of nodes) {
      // Without isolation, the rows are visible.
      expect(await onNode(node, auditorRole, (client) => rowsSeen(client))).not.toEqual([])
      await onNode(node, appRole, async (client) => {
        expect(await rowsSeen(client)).toEqual([])
        for (const corp_id of corpIds) {
          await client.query(`select set_config('app.corp_id', $1, false)`, [corp_id])
          const seen = await rowsSeen(client)
          expect(seen.filter((each) => each !== corp_id)).toEqual([])
          sights += seen.length
          const foreign = await client.query('select user_id from users where corp_id <> $1', [corp_id])
          expect(foreign.rows).toEqual([])
        }
      })
    }
    // Each organization was found on its node.
    expect(sights).toBeGreaterThan(schools)
  })

  test('it cannot write into another organization either', async () => {
    for (const node of nodes) {
      await onNode(node, appRole, async (client) => {
        const pieces = (await shardsOf(client)).filter(({ table }) => table === 'ledger_clocks')
        await client.query(`select set_config('app.corp_id', $1, false)`, [corpIds[0]])
        for (const { name } of pieces) {
          const { rowCount } = await client.query(`delete from ${name} where corp_id <> $1`, [corpIds[0]])
          expect(rowCount).toBe(0)
          const intrusion = `insert into ${name} (corp_id, instant_us) values ('nobody', 1)`
          await expect(client.query(intrusion)).rejects.toThrow(/row-level security/)
        }
      })
    }
  })
})

interface Shard {
  table: string
  name: string
  isolated: boolean
}

/** The shards of tenant tables on a node, which Citus hides by default. */
async function shardsOf(client: pg.Client): Promise<Shard[]> {
  const { rows } = await client.query<Shard>(
    `select regexp_replace(relname, '_[0-9]+$', '') as table, relname as name,
            relrowsecurity and relforcerowsecurity and exists (
              select from pg_policy where polrelid = pg_class.oid and polroles = '{0}'
                 and pg_get_expr(polqual, polrelid) = '(corp_id = current_setting(''app.corp_id''::text, true))') as isolated
       from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname ~ '_[0-9]{6,}$'
        and regexp_replace(relname, '_[0-9]+$', '') = any($1)`,
    [tenantTables],
  )
  return rows
}

/** The organizations of all visible rows in the shards of a node, by table. */
async function rowsSeen(client: pg.Client): Promise<string[]> {
  const reads = (await shardsOf(client)).map(({ name }) => `select distinct corp_id from ${name}`)
  const { rows } = await client.query<{ corp_id: string }>(reads.join(' union all '))
  return rows.map(({ corp_id }) => corp_id)
}

async function onNode<T>(
  { host, port }: { host: string; port: number },
  user: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const address = new URL(url)
  Object.assign(address, { hostname: host, port: String(port), username: user })
  address.searchParams.set('options', '-c citus.show_shards_for_app_name_prefixes=*')
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
