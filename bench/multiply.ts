import pg from 'pg'
import type { PostgresAddress } from '../src/postgres/embedded-postgres.ts'
import { givenName } from './data.ts'
import { tell } from './report.ts'

/**
 * The tables that lists of people, leads and orders read, and the values of copied rows: unique values are derived from
 * the number of the copy, others stay. The facts of the ledger are not copied, because no list reads them.
 */
const user = (n: string) => `md5(:corp || 'u' || ${n})`
const order = (n: string) => `md5(:corp || 'o' || ${n})`
/** The last character of names differs between copies, so copies cause no duplicates. */
export const charactersApart = 190
const renamed = (name: string) =>
  `left(${name}, -1) || chr(ascii(right(${name}, 1)) + ${charactersApart} * k)`
const otherOfPair = user(
  `(select o.n + copy - prototype.n from numbers o where o.kind = 'u' and o.id = prototype.other_user_id collate "default")`,
)
const tables: Table[] = [
  {
    name: 'users',
    id: ['user_id', 'u'],
    columns: {
      user_id: user('copy'),
      name: renamed('name'),
      first_name: renamed('first_name'),
      mobile: '(13000000000 + copy)::text',
      backup_mobile: 'case when backup_mobile is not null then (80000000 + copy)::text end',
      email: `'user' || copy || '@example.com'`,
    },
  },
  {
    name: 'leads',
    id: ['lead_id', 'l'],
    columns: {
      lead_id: `md5(:corp || 'l' || copy)`,
      user_id: user('copy'),
      entry_id: `'earlier-' || copy`,
    },
  },
  {
    name: 'orders',
    id: ['order_id', 'o'],
    columns: {
      order_id: order('copy'),
      user_id: user('owner_copy'),
      external_id: `'checkout-' || copy`,
    },
  },
  {
    name: 'sub_orders',
    id: ['order_id', 'o'],
    columns: { sub_order_id: 'md5(sub_order_id || copy)', order_id: order('copy') },
  },
  {
    name: 'order_read_model',
    id: ['order_id', 'o'],
    columns: {
      order_id: order('copy'),
      detail: `replace(replace(detail, order_id, ${order('copy')}), ${user('owner_n')}, ${user('owner_copy')})`,
    },
  },
  {
    name: 'facet_entries',
    where: `list = 'users'`,
    id: ['id', 'u'],
    columns: {
      id: user('copy'),
      facet: `case
        when facet like 'name:%' or facet like 'person:%' or facet like 'namesake:%' then replace(facet, ${givenName}, ${renamed(givenName)})
        when facet like 'email:%' then replace(facet, 'user' || n || '@', 'user' || copy || '@')
        when facet like 'mobile:%' then replace(replace(facet, (13000000000 + n)::text, (13000000000 + copy)::text),
                                                (80000000 + n)::text, (80000000 + copy)::text)
        when facet like 'tail:%' then replace(replace(facet, reverse((13000000000 + n)::text), reverse((13000000000 + copy)::text)),
                                              reverse((80000000 + n)::text), reverse((80000000 + copy)::text))
        else facet end`,
    },
  },
  {
    name: 'user_duplicates',
    id: ['user_id', 'u'],
    columns: {
      user_id: `least(${user('copy')}, ${otherOfPair})`,
      other_user_id: `greatest(${user('copy')}, ${otherOfPair})`,
    },
  },
  {
    name: 'facet_entries',
    where: `list = 'leads'`,
    id: ['id', 'l'],
    columns: {
      id: `md5(:corp || 'l' || copy)`,
      facet: `case when facet like 'user:%' then 'user:' || ${user('copy')} else facet end`,
    },
  },
  {
    name: 'facet_entries',
    where: `list = 'orders'`,
    id: ['id', 'o'],
    columns: {
      id: order('copy'),
      facet: `case
        when facet like 'user:%' then 'user:' || ${user('owner_copy')}
        when facet like 'ref:checkout-%' then 'ref:checkout-' || copy
        when facet like 'ref:%' then 'ref:' || ${order('copy')}
        when facet like 'number:%' then 'number:' || right(${order('copy')}, 8)
        else facet end`,
    },
  },
]

/** Number of records that the service creates. The others are copies. */
export const prototypes = 10_000

/** Number of copies of the prototypes in a school of this size. */
export function copiesFor(users: number): number {
  const copies = users / prototypes
  if (!Number.isInteger(copies) || copies < 1 || copies > 100)
    throw new Error(`--users must be a multiple of ${prototypes}, up to ${100 * prototypes}`)
  return copies
}

interface Table {
  name: string
  where?: string
  /** The column that identifies the prototype of a row, and the letter of its kind in generated ids. */
  id: [column: string, kind: string]
  columns: Record<string, string>
}

/**
 * Enlarges a school of prototypes that the service created: number n becomes n, n + prototypes, n + 2 × prototypes
 * and so on. Creating a million records by the service would take hours.
 */
export async function multiplySchool(
  postgres: PostgresAddress,
  { corp_id, copies }: { corp_id: string; copies: number },
): Promise<void> {
  if (copies === 1) return
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  const run = (text: string) => client.query(text.replaceAll(':corp', `'${corp_id}'`))
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
                        set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
    await run(`create temp table numbers as
               select n, kind, md5(:corp || kind || n) as id, 1 + n % ${prototypes} as owner_n
                 from generate_series(1, ${prototypes}) n, unnest(array['u', 'o', 'l']) kind`)
    await client.query('alter table numbers add primary key (kind, id)')
    await client.query('analyze numbers')
    const names = [...new Set(tables.map(({ name }) => name))]
    const rebuild = await dropIndexes(client, names)
    for (const table of tables) {
      tell(`${corp_id}: copies of ${table.name} ${table.where ?? ''}`)
      await run(await copying(client, table, copies))
    }
    for (const statement of rebuild) {
      tell(`${corp_id}: ${statement.slice(0, 70)}`)
      await client.query(statement)
    }
    // Those of the prototypes. They are derived again, as after an import.
    await run('delete from facet_slices where corp_id = :corp')
    await run(`update facet_counts set rows = rows * ${copies}, bits = null where corp_id = :corp`)
  } finally {
    await client.end()
  }
}

async function copying(
  client: pg.Client,
  { name, where = 'true', id: [column, kind], columns }: Table,
  copies: number,
): Promise<string> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [name],
  )
  const names = rows.map(({ column_name }) => column_name)
  return `
    insert into ${name} (${names.join(', ')})
    select ${names.map((each) => columns[each] ?? each).join(', ')}
      from (select t.*, k, numbers.n, numbers.owner_n, numbers.n + k * ${prototypes} as copy,
                   numbers.owner_n + k * ${prototypes} as owner_copy
              from ${name} t join numbers on numbers.kind = '${kind}' and numbers.id = t.${column},
                   generate_series(1, ${copies - 1}) k
             where t.corp_id = :corp and ${where}) prototype`
}

/** Drops indexes, because creating them is faster than updating them. Returns the function that creates them again. */
async function dropIndexes(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when c.conname is null then format('drop index %I', i.relname)
                 else format('alter table %I drop constraint %I', t.relname, c.conname) end as drop,
            case when c.conname is null then pg_get_indexdef(i.oid)
                 else format('alter table %I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) end as make
       from pg_index x
       join pg_class i on i.oid = x.indexrelid
       join pg_class t on t.oid = x.indrelid
       left join pg_constraint c on c.conindid = i.oid and c.contype in ('p', 'u')
      where t.relname = any($1) and t.relnamespace = 'public'::regnamespace
        -- What foreign keys lead to stays.
        and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.oid)`,
    [tables],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ make }) => make)
}
