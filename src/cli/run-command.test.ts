import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliResult, callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { timeStampRules } from '../contract/time-stamps.ts'

const commands = [
  'org create',
  'org list',
  'org update',
  'org suspend',
  'org resume',
  'org rename',
  'org export',
  'org import',
  'org delete',
  'account create',
  'account list',
  'account disable',
  'account rotate-secret',
  'finance export',
  'finance check',
  'finance ageing',
  'finance explain',
  'finance close',
  'finance bank import',
  'finance bank match',
  'finance bank line match',
  'finance bank line book',
  'finance closings',
  'finance reverse-closing',
  'orders import',
  'db migrate',
  'db status',
  'serve',
]

let base: string
let database: TestDatabase

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'matricula-cli-'))
  database = await createTestDatabase()
})

afterAll(async () => {
  await database?.drop()
  await rm(base, { recursive: true, force: true })
})

test('every command has help and a JSON output', async () => {
  for (const command of commands) {
    const { code, stdout, stderr } = await run([...command.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: matricula ${command}`)
    expect(stdout).toContain('--json')
  }
})

test('a created organization is listed, as text and as JSON', async () => {
  const made = await succeed(
    'org create --time-zone asia/shanghai --currency jpy --country jp --pools warm,cold',
    '--name',
    '北京 School',
  )
  expect(made.corp_id).toMatch(/^[0-9a-f]{32}$/)
  expect(made).toEqual({
    corp_id: made.corp_id,
    name: '北京 School',
    time_zone: 'Asia/Shanghai',
    currency: 'JPY',
    country: 'JP',
    pools: ['warm', 'cold'],
    is_suspended: false,
    over_quota: [],
  })
  expect(await organization(made.corp_id)).toMatchObject(made)
  const { stdout } = await run(['org', 'list'])
  expect(stdout).toMatch(/^CORP_ID +NAME +TIME_ZONE +CURRENCY +COUNTRY +POOLS$/m)
  expect(stdout).toMatch(
    new RegExp(`^${made.corp_id} +北京 School +Asia/Shanghai +JPY +JP +warm, cold$`, 'm'),
  )
})

test('an update changes only the given members', async () => {
  const made = await createOrganization()
  const changed = await succeed(`org update ${made.corp_id} --time-zone Europe/Madrid`)
  expect(changed).toEqual({ ...made, time_zone: 'Europe/Madrid' })
  expect(await organization(made.corp_id)).toMatchObject(changed)
})

test('an invalid value is named in one sentence, and nothing changes', async () => {
  const made = await createOrganization()
  const before = await succeed('org list')
  const update = ['org', 'update', made.corp_id, '--name', 'Changed']
  const create = ['org', 'create', '--name', 'New']
  const account = ['account', 'create', '--name', 'Bot', '--org', made.corp_id]
  await fails([...create, '--time-zone', 'Mars/Base'], '"Mars/Base"')
  await fails([...create, '--time-zone', '+08:00'], '"+08:00"')
  await fails([...update, '--currency', 'XXX'], '"XXX"')
  await fails([...update, '--pools', 'a,,b'], 'The pool "" is invalid')
  await fails([...update, '--pools', 'a, a'], 'The pool a is listed twice.')
  await fails([...create, '--corp-id', 'a b'], '"a b"')
  await fails([...create, '--corp-id', made.corp_id], 'There already is')
  await fails(['org', 'create', '--name', ' '], 'must not be empty')
  await fails(['org', 'update', 'nowhere', '--name', 'X'], 'There is no organization nowhere.')
  await fails([...account, '--org', 'nowhere'], 'There is no organization nowhere.')
  await fails([...account, '--permissions', 'read,fly'], '"fly"')
  await fails([...account, '--rate-limit', '1.5'], 'The rate limit must be a whole number')
  await fails(['account', 'disable', 'nobody'], 'There is no account nobody.')
  await fails(['account', 'rotate-secret', 'nobody'], 'There is no account nobody.')
  expect(await succeed('org list')).toEqual(before)
  expect((await succeed('account list')).accounts.map((row: { name: string }) => row.name)).not.toContain(
    'Bot',
  )
})

test('a usage error is one sentence too', async () => {
  await fails([], 'Name a command')
  await fails(['org'], 'Name a command')
  await fails(['nonsense'], "Unknown command 'nonsense'")
  await fails(['org', 'create'], "'--name <name>' not specified")
  await fails(['org', 'list', '--fast'], "Unknown option '--fast'")
})

test('each claim rule of owners is shown, changed and removed', async () => {
  const { corp_id } = await createOrganization()
  const none = {
    corp_id,
    most_held: null,
    most_per_day: null,
    hold_off_days: null,
    idle_days: null,
    reveals_per_hour: 60,
  }
  expect(await succeed(`org claims ${corp_id}`)).toEqual(none)
  expect(await succeed(`org claims ${corp_id} --most-held 50 --idle-days 14`)).toEqual({
    ...{ ...none, most_held: 50, idle_days: 14 },
  })
  expect(await succeed(`org claims ${corp_id} --most-held none --most-per-day 5`)).toEqual({
    ...{ ...none, most_per_day: 5, idle_days: 14 },
  })
  await fails(
    ['org', 'claims', corp_id, '--hold-off-days', '0'],
    'The rule hold_off_days must be a whole number',
  )
  await fails(['org', 'claims', 'nowhere'], 'There is no organization nowhere.')
})

test('a pool with users cannot be removed', async () => {
  const { corp_id } = await createOrganization()
  await asOwner(
    `select set_config('app.corp_id', '${corp_id}', false);
     insert into users (corp_id, user_id, pool, ctime, mtime) values ('${corp_id}', 'u1', 'dead', now(), now())`,
  )
  const update = ['org', 'update', corp_id, '--name', 'Changed', '--pools']
  await fails([...update, 'alive,public'], 'The pool dead cannot be removed, because 1 user is still in it.')
  expect(await organization(corp_id)).toMatchObject({ name: 'School', pools: ['alive', 'dead', 'public'] })
  expect(await succeed(`org update ${corp_id} --pools dead,public`)).toMatchObject({
    pools: ['dead', 'public'],
  })
})

test('a secret is shown once, when it is created', async () => {
  const { corp_id } = await createOrganization()
  const made = await succeed(
    `account create --name bot --org ${corp_id} --permissions write,read --rate-limit 60`,
  )
  const { user_api_secret, ...shown } = made
  expect(user_api_secret).toMatch(/^[\w-]{32}$/)
  expect(shown).toEqual({
    app_id: made.app_id,
    name: 'bot',
    permissions: ['read', 'write'],
    is_disabled: false,
    time_stamps: 'any',
    rate_limit_per_minute: 60,
    expires_at: null,
    allowed_networks: [],
    signs_money: false,
    corp_ids: [corp_id],
  })
  const { accounts } = await succeed('account list')
  expect(accounts.find((row: { app_id: string }) => row.app_id === made.app_id)).toEqual(shown)
  const rotated = await succeed(`account rotate-secret ${made.app_id}`)
  expect(rotated.user_api_secret).not.toBe(user_api_secret)
  for (const asJson of [[], ['--json']]) {
    const { stdout } = await run(['account', 'list', ...asJson])
    expect(stdout).not.toContain(user_api_secret)
    expect(stdout).not.toContain(rotated.user_api_secret)
  }
  const stored = JSON.stringify(await asOwner('select a::text from account_secrets a'))
  expect(stored).not.toContain(rotated.user_api_secret)
})

test('an account has a generous rate limit, which can be set and removed', async () => {
  const { corp_id } = await createOrganization()
  const create = `account create --name bot --org ${corp_id}`
  const { app_id, rate_limit_per_minute } = await succeed(create)
  expect(rate_limit_per_minute).toBe(60_000)
  expect(await succeed(`${create} --rate-limit none`)).toMatchObject({ rate_limit_per_minute: null })
  expect(await succeed(`account limit ${app_id} 5`)).toMatchObject({ app_id, rate_limit_per_minute: 5 })
  expect(await succeed(`account limit ${app_id} none`)).toMatchObject({ rate_limit_per_minute: null })
  await fails(['account', 'limit', app_id, 'many'], 'from 1 to 1000000, or none.')
  await fails(['account', 'limit', 'nobody', '5'], 'There is no account nobody.')
})

test('the text output says that a secret will not be shown again', async () => {
  const { corp_id } = await createOrganization()
  const { stdout } = await run(['account', 'create', '--name', 'person', '--org', corp_id])
  expect(stdout).toMatch(/^user_api_secret +[\w-]{32}$/m)
  expect(stdout).toContain('it will not be shown again')
})

test('the help of account creation explains each rule for time stamps', async () => {
  for (const command of ['create', 'update']) {
    const { stdout } = await run(['account', command, '--help'])
    for (const sentence of Object.values(timeStampRules)) expect(stdout).toContain(sentence)
  }
})

test('revoking and disabling end the tokens of every secret', async () => {
  const { corp_id } = await createOrganization()
  const { app_id } = await succeed(`account create --name bot --org ${corp_id} --time-stamps once`)
  const epoch = async () =>
    (await asOwner(`select token_epoch from accounts where app_id = '${app_id}'`))[0]?.token_epoch
  await succeed(`account rotate-secret ${app_id}`)
  expect(await epoch()).toBe(0)
  await succeed(`account rotate-secret ${app_id} --revoke`)
  expect(await epoch()).toBe(1)
  expect(await succeed(`account disable ${app_id}`)).toMatchObject({
    is_disabled: true,
    time_stamps: 'once',
  })
  expect(await epoch()).toBe(2)
})

test('an account is changed, gets and loses grants, and has two secrets during a rotation', async () => {
  const [one, other] = [await createOrganization(), await createOrganization()]
  const { app_id } = await succeed(`account create --name bot --org ${one.corp_id} --permissions read`)
  const changed = await succeed(
    `account update ${app_id} --expires 90d --addresses 203.0.113.0/24,::1 --sign-money --time-stamps recent`,
  )
  expect(changed).toMatchObject({
    allowed_networks: ['203.0.113.0/24', '::1'],
    ...{ signs_money: true, time_stamps: 'recent' },
  })
  expect(Math.round((Date.parse(changed.expires_at) - Date.now()) / 3_600_000)).toBe(90 * 24)
  const lifted = await succeed(`account update ${app_id} --expires never --addresses any --no-sign-money`)
  expect(lifted).toMatchObject({ expires_at: null, allowed_networks: [], signs_money: false })
  await fails(['account', 'update', app_id, '--expires', 'tomorrow'], 'The time "tomorrow" is invalid')
  await fails(['account', 'update', app_id], 'No change was given')
  await fails(['account', 'update', app_id, '--time-stamps', 'strict'], 'use any, recent, once')
  expect(await succeed(`account grant ${app_id} --org ${other.corp_id} --permissions write`)).toMatchObject({
    corp_ids: [one.corp_id, other.corp_id],
    permissions: ['read', 'write'],
  })
  expect(await succeed(`account revoke ${app_id} --org ${one.corp_id} --permissions read`)).toMatchObject({
    corp_ids: [other.corp_id],
    permissions: ['write'],
  })
  await succeed(`account rotate-secret ${app_id} --keep-old 7d --expires 365d`)
  expect(await succeed(`account end-old-secret ${app_id}`)).toMatchObject({ had_old_secret: true })
  await fails(['account', 'rotate-secret', app_id, '--keep-old', 'never'], 'must end')
})

test('a newer schema is not changed', async () => {
  await asOwner(`insert into schema_migrations (id, name) values (9999, '9999_future')`)
  await fails(['org', 'list'], 'start a newer version')
  await fails(['db', 'migrate'], 'start a newer version')
  await asOwner('delete from schema_migrations where id = 9999')
})

test('no control character of a file, its name or a value reaches the terminal', async () => {
  const escapes = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2028\x7f\r'
  const { corp_id } = await createOrganization()
  const folder = join(base, `in\x1b[31m\u202e\x9b`)
  await mkdir(folder)
  const write = async (name: string, text: string | Buffer) => {
    const file = join(folder, `${name}\x1b[0m.csv`)
    await writeFile(file, text)
    return file
  }
  const header = `external_id,email,currency,listed_price,"Col${escapes}\nour"`
  const orders = await write(
    'orders',
    `${header}\n"A${escapes}",a@x.com,"C${escapes}",1,\n,"${escapes}",CNY,x,\n`,
  )
  const twice = await write('twice', `external_id,"${escapes}","${escapes}"\n1,2,3\n`)
  const mapping = await write('mapping', JSON.stringify({ external_id: escapes }))
  const exported = join(folder, 'out.csv')
  const imported = ['orders', 'import', '--org', corp_id]
  const outcomes = await Promise.all([
    run([...imported, orders, '--dry-run']),
    run([...imported, orders, '--dry-run', '--json']),
    run([...imported, orders]),
    run([...imported, twice]),
    run([...imported, orders, '--mapping', mapping]),
    run([...imported, join(folder, 'none.csv')]),
    run([...imported, orders, '--encoding', escapes]),
    run([...imported, await write('sixteen', Buffer.from('a,b\n', 'utf16le'))]),
    run(['orders', 'import', orders, '--org', escapes]),
    run(['org', 'create', '--name', `School${escapes}`]),
    run(['org', 'list']),
    run(['org', 'list', '--json']),
    run([`nonsense${escapes}`]),
    run(['finance', 'export', '--org', corp_id, '--format', 'csv', '--out', exported]),
    run(['account', 'create', '--org', corp_id, '--name', escapes]),
  ])
  for (const { stdout, stderr } of outcomes) {
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e]/)
    expect(stdout + stderr).not.toBe('')
  }
  expect(outcomes[0]!.stdout).toContain('A␛[2J␛]0;owned␇\\u{9b}31m\\u{202e}gnp.exe\\u{2028}␡')
  expect(outcomes[0]!.stdout).toContain('Ignored columns with unknown names: Col␛')
  expect(outcomes[3]!.stderr).toMatch(/^The header ␛[^\n]+ occurs twice, in the columns B and C\.\n$/)
  expect(outcomes[6]!.stderr).toMatch(
    /^The encoding ␛[^\n]+ is not known\. [^\n]+ Set it with --encoding\.\n$/,
  )
  expect(outcomes[7]!.stderr).toMatch(/mark\. Set it with --encoding utf-16le or utf-16be\.\n$/)
  expect(JSON.parse(outcomes[1]!.stdout).unknown_columns).toEqual([`Col${escapes}\nour`])
})

test('finance ageing and finance explain show imported orders and the reason of their debt', async () => {
  const { corp_id } = await createOrganization()
  const file = join(base, 'running.csv')
  const header = 'external_id,email,currency,listed_price,installment_count,first_payment_deadline,paid_price'
  await writeFile(
    file,
    `${header}\nA,a@example.com,CNY,300,3,2020-01-31,120\nB,b@example.com,JPY,500,1,2090-01-31,\n`,
  )
  expect((await succeed(`orders import --org ${corp_id}`, file)).rows).toMatchObject({ create: 2 })
  const ageing = await succeed(`finance ageing --org ${corp_id}`)
  expect(ageing.totals).toMatchObject([
    { currency: 'CNY', orders: 1, outstanding: 18_000, not_due: 0, days_over_90: 18_000 },
    { currency: 'JPY', orders: 1, outstanding: 500, not_due: 500 },
  ])
  const explained = await succeed(
    `finance explain unpaid_price --org ${corp_id} --currency CNY --as-of ${ageing.as_of}`,
  )
  expect(explained).toMatchObject({ value: 18_000, as_of: ageing.as_of })
  const { code, stdout } = await run(['finance', 'ageing', '--org', corp_id])
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^all +all +CNY +1 +180\.00/m),
  })
  await fails(['finance', 'ageing', '--org', corp_id, '--as-of', '2090-01-01'], 'future')
  await fails(['finance', 'explain', 'paid_price', '--org', corp_id, '--sub-order', 'x'], 'order_id')
  await fails(['finance', 'ageing', '--org', 'nowhere'], 'no organization')
})

function run(args: string[]): Promise<CliResult> {
  return callCli(args, { ...database.settings, MATRICULA_KEY: masterKeyText })
}

/** The JSON object that is the only output of the command. */
async function succeed(words: string, ...more: string[]) {
  const { code, stdout, stderr } = await run([...words.split(' '), ...more, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/)
  return JSON.parse(stdout)
}

async function fails(args: string[], reason: string): Promise<void> {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^[A-Z][^\n]*\.\n$/)
  expect(stderr).toContain(reason)
}

async function createOrganization() {
  return succeed('org create --name School')
}

async function organization(corp_id: string) {
  const { organizations } = await succeed('org list')
  return organizations.find((row: { corp_id: string }) => row.corp_id === corp_id)
}

async function asOwner(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.settings.DATABASE_URL! })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
