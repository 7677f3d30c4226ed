// Keeps a copy of the orders in SQLite: once from the list, then from the event feed. Stop it with SIGTERM; it continues where
// it was.
import { DatabaseSync } from 'node:sqlite'
import { LocalTime, Matricula, MatriculaError, money, type Order } from '@matricula/client'

const {
  MATRICULA_URL = '',
  MATRICULA_APP_ID = '',
  MATRICULA_SECRET = '',
  MATRICULA_CORP_ID = '',
} = process.env
const m = new Matricula({
  baseUrl: MATRICULA_URL,
  appId: MATRICULA_APP_ID,
  secret: MATRICULA_SECRET,
  corpId: MATRICULA_CORP_ID,
})

const db = new DatabaseSync(process.env.WAREHOUSE ?? 'warehouse.sqlite')
db.exec(`create table if not exists orders (order_id text primary key, user_id text, status text, currency text,
  total_minor integer, paid_minor integer, created text, modified text) strict;
  create table if not exists position (one integer primary key check (one = 1), cursor text) strict`)
const put = db.prepare('insert or replace into orders values (?, ?, ?, ?, ?, ?, ?, ?)')
const remove = db.prepare('delete from orders where order_id = ?')
const savePosition = db.prepare('insert or replace into position values (1, ?)')

const { time_zone } = await m.school()

function store(order: Order) {
  const [total, paid] = [money(order, 'total_price'), money(order, 'paid_price')]
  const [created, modified] = [order.ctime, order.mtime].map((text) => String(new LocalTime(text, time_zone)))
  const { entity_id, user_id, status } = order
  put.run(entity_id, user_id, status, total.currency, total.minor, paid.minor, created!, modified!)
}

/** Events have no values: the order is fetched. One that is gone is removed. */
async function refresh(order_id: string) {
  try {
    const order = await m.orders.fetch({ order_id })
    if (order.is_deleted) remove.run(order_id)
    else store(order)
  } catch (error) {
    if (error instanceof MatriculaError && error.code === 40402) remove.run(order_id)
    else throw error
  }
}

async function reread() {
  db.exec('delete from orders')
  for await (const { entity_id } of m.orders.iterate()) await refresh(entity_id)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const row = db.prepare('select cursor from position').get() as { cursor: string } | undefined

await m.events.follow(
  {
    cursor: row?.cursor,
    save: (cursor) => savePosition.run(cursor),
    reread,
    signal: stop.signal,
  },
  async (events) => {
    const touched = events.flatMap(({ record_type, record_id, related }) => [
      ...(record_type === 'order' ? [record_id] : []),
      ...Object.entries(related).flatMap(([name, id]) => (name.endsWith('order_id') ? [id] : [])),
    ])
    for (const order_id of new Set(touched)) await refresh(order_id)
  },
)
db.close()
