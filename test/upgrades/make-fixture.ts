import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { masterKeyText } from '../harness/keyring.ts'
import { type Fixture, questions } from './fixture.ts'

/**
 * Creates the fixture of a version: `node test/upgrades/make-fixture.ts <checkout>` runs that version, creates a small school
 * through its interface, and keeps the rows of the school and the responses about it.
 */
const checkout = resolve(process.argv[2] ?? '.')
const corp_id = 'harbour'
const base = await mkdtemp(join(tmpdir(), 'matricula-fixture-'))
const env = {
  PATH: process.env.PATH,
  HOME: base,
  PORT: '0',
  MATRICULA_DATA: join(base, 'data'),
  MATRICULA_KEY: masterKeyText,
  MATRICULA_WORKERS: '1',
  MATRICULA_LOG_LEVEL: 'silent',
}

const server = spawn(process.execPath, [join(checkout, 'src/main.ts')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await announced()
  const organization = ['--name', 'Harbour School', '--corp-id', corp_id, '--time-zone', 'Asia/Shanghai']
  await cli('org', 'create', ...organization, '--currency', 'CNY')
  const account = await cli('account', 'create', '--name', 'Portal', '--org', corp_id)
  const school = await makeSchool(url, account)
  const answers: Fixture['answers'] = []
  for (const question of questions(corp_id, school.ids)) {
    const { code, data } = await school.get(question)
    if (code === 0) answers.push({ question, data })
  }
  const { schema, rows } = await dump(account.app_id)
  const fixture: Fixture = { schema, account, answers, rows }
  const file = join(import.meta.dirname, `schema-${String(schema).padStart(4, '0')}.json.gz`)
  await writeFile(file, gzipSync(JSON.stringify(fixture), { level: 9 }))
  console.log(`${file}: ${rows.length} rows, ${answers.length} answers`)
} finally {
  server.kill('SIGTERM')
  await once(server, 'close')
  await rm(base, { recursive: true, force: true })
}

async function announced(): Promise<string> {
  let text = ''
  for await (const chunk of server.stdout!) {
    text += chunk
    const url = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/api\/v5\//.exec(text)
    if (url && text.includes('Ctrl-C')) return url[1]!
  }
  throw new Error(`The server ended: ${text}`)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
async function cli(...args: string[]): Promise<any> {
  const command = [join(checkout, 'src/cli/matricula.ts'), ...args, '--json']
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const text = (await child.stdout!.toArray()).join('')
  return JSON.parse(text)
}

async function makeSchool(url: string, account: Fixture['account']) {
  let token = ''
  const headers = () => ({
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
  const post = async (path: string, body: object): Promise<any> => {
    const init = { method: 'POST', headers: headers(), body: JSON.stringify({ corp_id, ...body }) }
    const { code, msg, data } = await answerTo(`${url}/api/v5/${path}`, init)
    if (code !== 0) console.log(`${path}: ${code} ${msg}`)
    return data
  }
  const get = (question: string) => answerTo(url + question, { headers: headers() })

  const time_stamp = String(Math.floor(Date.now() / 1000))
  const { app_id, user_api_secret } = account
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  token = (await post('authentication/token', { app_id, time_stamp, signature })).token

  const group = {
    name: 'Score',
    variable_name: 'score',
    description: 'Of the test',
    attribute: 'number',
    category: 'test',
  }
  const { tags_group_id } = await post('entity/tags/group/create', group)
  const people = [
    { name: 'Zhang Wei', area_code: '86', mobile: '13800138000' },
    { name: "Grace O'Connor", email: 'grace@example.com' },
    { name: '欧阳磊', area_code: '86', mobile: '13900139000' },
  ]
  const users: string[] = []
  for (const person of people) users.push((await post('entity/user/create', person)).user_id)
  await post('entity/user/tags/assign', { tags_group_id, user_id: users[0], value: '87.5' })
  await post('entity/user/owner/update', { user_id: users[1], event_type: 'add', owner_id: 'anna' })
  await post('entity/leads/import', {
    entry_id: 'form-1',
    user_id: users[0],
    form1_name: 'Course',
    form1_value: 'Data',
  })
  await post('entity/leads/import', { entry_id: 'form-2', area_code: '86', mobile: '13700137000' })
  const orders: string[] = []
  const sell = async (user: number, order: object) => {
    const made = await post('entity/order/create', { user_id: users[user], currency: 'CNY', ...order })
    orders.push(made.order_id)
    return made
  }
  const pay = (order_id: string, price: number, charge_id: string) =>
    post('entity/order/payment/create', { order_id, price, source: 'payment_gateway', charge_id })
  const ids = { users, orders }
  const paid = await sell(0, { listed_price: 30_000, installment_count: 3 })
  for (const n of [1, 2, 3]) await pay(paid.order_id, 10_000, `charge-a${n}`)
  await post('entity/order/refund/create', {
    order_id: paid.order_id,
    sub_order_id: paid.sub_order_ids[2],
    price: 2500,
    reason: 'Agreed',
  })
  const partly = await sell(1, { listed_price: 18_000, installment_count: 2 })
  await pay(partly.order_id, 9000, 'charge-b1')
  await post('entity/order/remark/create', { order_id: partly.order_id, content: 'Pays the rest in spring' })
  const canceled = await sell(2, { listed_price: 5000 })
  await post('entity/order/status/update', { order_id: canceled.order_id, status: 'canceled' })
  await sell(2, { listed_price: 7000, external_id: 'paper-17' })
  return { get, ids }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
async function answerTo(address: string, init: RequestInit): Promise<any> {
  return (await fetch(address, init)).json()
}

/** The rows of the school, as JSON texts: numbers keep all their digits. */
async function dump(app_id: string): Promise<Pick<Fixture, 'schema' | 'rows'>> {
  const host = join(base, 'data', 'postgres')
  const client = new pg.Client({ host, user: 'postgres', database: 'matricula' })
  await client.connect()
  const { rows: schemas } = await client.query('select max(id) as schema from schema_migrations')
  const rows: Fixture['rows'] = []
  for (const [column, value] of Object.entries({ corp_id, app_id })) {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
      `select c.relname as name, array_agg(a.attname::text) as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname`,
    )
    // A table with both columns belongs to the organization.
    const own = tables.filter(
      ({ columns }) => columns.includes(column) && (column === 'corp_id' || !columns.includes('corp_id')),
    )
    for (const { name } of own) {
      const text = `select to_json(t)::text as row from ${name} t where ${column} = $1`
      for (const { row } of (await client.query(text, [value])).rows) rows.push([name, row])
    }
  }
  await client.end()
  return { schema: schemas[0].schema, rows }
}
