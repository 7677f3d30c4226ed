import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, secretFileSettings } from './config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileWith(content: string): Promise<string> {
  const file = join(folder, `${Math.random()}`)
  await writeFile(file, content)
  return file
}

const key = 'ab'.repeat(32)
const somewhere = 'postgres://me@127.0.0.1:1/x'

function complaintOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('traces are recorded only with a configured collector, and the standard settings apply', () => {
  const traces = (env: Record<string, string>) => readConfig(env).traces
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'
  expect(traces({})).toBeUndefined()
  expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d=e' })).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: { a: 'b c', d: 'e' },
    serviceName: 'matricula',
    attributes: {},
    sampler: 'parentbased_always_on',
    ratio: 1,
  })
  const whole = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://x/y', OTEL_TRACES_SAMPLER: 'traceidratio' }
  expect(traces({ ...whole, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toMatchObject({
    url: 'https://x/y',
    ratio: 0.25,
  })
})

test.for([
  [{ OTEL_TRACES_SAMPLER: 'some' }, /^OTEL_TRACES_SAMPLER must be one of always_on, [^\n]+\.$/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as /],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'token' }, /^OTEL_EXPORTER_OTLP_HEADERS must be pairs such as name=value/],
  [{ MATRICULA_SERVER_TIMING: 'me' }, /^MATRICULA_SERVER_TIMING must be IP addresses and networks such as /],
  [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ MATRICULA_LOG_LEVEL: 'loud' }, /^MATRICULA_LOG_LEVEL must be one of [^\n]+\.$/],
  [{ DATABASE_URL: 'foo' }, /^DATABASE_URL must be a URL such as [^\n]+\.$/],
  [{ MATRICULA_KEY: 'short' }, /^MATRICULA_KEY must be 64 hexadecimal digits [^\n]+\.$/],
  [{ DATABASE_URL: somewhere }, /^MATRICULA_KEY is required with DATABASE_URL: [^\n]+\.$/],
  [{ MATRICULA_SHARDED: 'yes' }, 'MATRICULA_SHARDED must be true or false.'],
  [{ MATRICULA_KEYY: key }, 'MATRICULA_KEYY is not a setting: rename it to MATRICULA_KEY, or remove it.'],
  [{ MATRICULA_LOGLEVEL: 'info' }, /rename it to MATRICULA_LOG_LEVEL/],
  [{ MATRICULA_SETTINGS: '/nowhere' }, /^MATRICULA_SETTINGS must be a file .*\/nowhere is not \(ENOENT\)\.$/],
  [{ MATRICULA_SHARDED: 'true' }, 'MATRICULA_SHARDED needs DATABASE_URL.'],
  [{ DATABASE_REPLICA_URLS: somewhere }, 'DATABASE_REPLICA_URLS needs DATABASE_URL.'],
  [
    { MATRICULA_AUDIT_HEADS: 'http://heads.example' },
    /^MATRICULA_AUDIT_HEADS must be a folder, or an https /,
  ],
  [{ MATRICULA_AUDIT_HEADS: 'ftp://heads.example' }, /^MATRICULA_AUDIT_HEADS must be a folder, or an https /],
  [
    { MATRICULA_AUDIT_HEADS: 'https://me:secret@heads.example' },
    /^MATRICULA_AUDIT_HEADS must be (?!.*secret)/,
  ],
  [
    {
      ...{ DATABASE_URL: somewhere, MATRICULA_KEY: key },
      ...{ DATABASE_REPLICA_URLS: somewhere, MATRICULA_SHARDED: 'true' },
    },
    'DATABASE_REPLICA_URLS cannot be combined with MATRICULA_SHARDED.',
  ],
] as [Record<string, string>, string | RegExp][])(
  'a bad setting is one sentence: %j',
  ([settings, sentence]) => {
    if (typeof sentence === 'string') expect(complaintOf(settings)).toBe(sentence)
    else expect(complaintOf(settings)).toMatch(sentence)
  },
)

test('each of several invalid settings has its sentence', () => {
  const complaints = complaintOf({ PORT: 'abc', MATRICULA_SHARDED: 'yes' }).split('\n')
  expect(complaints).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'MATRICULA_SHARDED must be true or false.',
  ])
})

test('no sentence repeats a possible secret', () => {
  const secret = 'correct-horse-battery-staple'
  for (const name of ['MATRICULA_KEY', 'DATABASE_URL', 'DATABASE_REPLICA_URLS'])
    expect(complaintOf({ [name]: secret })).toMatch(new RegExp(`^${name} must be (?!.*${secret})`))
})

test.for([
  ['/srv/heads', { folder: '/srv/heads' }],
  ['heads', { folder: `${process.cwd()}/heads` }],
  ['https://heads.example/in?token=x', { address: new URL('https://heads.example/in?token=x') }],
  ['http://localhost:8081/', { address: new URL('http://localhost:8081/') }],
] as const)('heads are published to a folder or an address: %s', ([text, target]) => {
  expect(readConfig({ MATRICULA_AUDIT_HEADS: text }).auditHeads).toEqual(target)
})

test('variables that resemble no setting are listed, not refused', () => {
  const { unknownSettings } = readConfig({ MATRICULA_IMAGE_TAG: '1', MATRICULA_SKIP_INSTALL: '1', PORT: '1' })
  expect(unknownSettings).toEqual(['MATRICULA_IMAGE_TAG'])
})

test('a file adds settings, and the environment has priority', async () => {
  const file = await fileWith('# of the service\nMATRICULA_LOG_LEVEL=debug\nPORT="81"\n')
  const config = readConfig({ MATRICULA_SETTINGS: file, PORT: '82' })
  expect([config.logLevel, config.port]).toEqual(['debug', 82])
})

test('every setting that may hold a secret can be read from a file', () => {
  expect(Object.keys(secretFileSettings)).toEqual([
    'DATABASE_URL_FILE',
    'DATABASE_REPLICA_URLS_FILE',
    'MATRICULA_KEY_FILE',
    'OTEL_EXPORTER_OTLP_HEADERS_FILE',
    'MATRICULA_SMTP_URL_FILE',
    'MATRICULA_AUDIT_HEADS_FILE',
  ])
})

test('secrets are the trimmed content of files, which are read each time', async () => {
  const keyFile = await fileWith(`${key}\n`)
  const env = {
    MATRICULA_KEY_FILE: keyFile,
    DATABASE_URL_FILE: await fileWith(` ${somewhere}\r\n`),
    DATABASE_REPLICA_URLS_FILE: await fileWith(`${somewhere},${somewhere}\n`),
    MATRICULA_AUDIT_HEADS_FILE: await fileWith('https://heads.example/?token=x\n'),
  }
  const config = readConfig(env)
  expect(config.masterKeys).toEqual([Buffer.from(key, 'hex')])
  expect(config.databaseUrl).toBe(somewhere)
  expect(config.replicaUrls).toEqual([somewhere, somewhere])
  expect(config.auditHeads).toEqual({ address: new URL('https://heads.example/?token=x') })
  expect(config.unknownSettings).toEqual([])

  const newer = 'cd'.repeat(32)
  await writeFile(keyFile, `${newer},${key}`)
  expect(readConfig(env).masterKeys).toEqual([newer, key].map((each) => Buffer.from(each, 'hex')))
})

test('the file of settings can name the file of a secret', async () => {
  const keyFile = await fileWith(key)
  const settings = await fileWith(`MATRICULA_KEY_FILE=${keyFile}\n`)
  expect(readConfig({ MATRICULA_SETTINGS: settings }).masterKeys).toEqual([Buffer.from(key, 'hex')])
})

test('an unreadable secret file has its sentence among the others, without the secret', async () => {
  const [empty, wrong] = [await fileWith(' \n'), await fileWith('correct-horse')]
  const complaints = complaintOf({
    PORT: 'abc',
    DATABASE_URL_FILE: '/nowhere',
    DATABASE_REPLICA_URLS_FILE: empty,
    MATRICULA_KEY_FILE: wrong,
    MATRICULA_AUDIT_HEADS_FILE: folder,
  })
  expect(complaints.split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'DATABASE_URL_FILE must be a file that this user may read, and /nowhere is not (ENOENT).',
    `DATABASE_REPLICA_URLS_FILE names ${empty}, which is empty: write the value of DATABASE_REPLICA_URLS into it.`,
    expect.stringMatching(/^The content of MATRICULA_KEY_FILE must be 64 hexadecimal digits (?!.*horse)/),
    `MATRICULA_AUDIT_HEADS_FILE must be a file that this user may read, and ${folder} is not (EISDIR).`,
  ])
})

test('a secret and its file cannot both be given', async () => {
  const file = await fileWith(key)
  expect(complaintOf({ MATRICULA_KEY: key, MATRICULA_KEY_FILE: file })).toBe(
    'MATRICULA_KEY and MATRICULA_KEY_FILE are both set: remove one of them.',
  )
  // As with every setting, an empty variable counts as absent.
  expect(readConfig({ MATRICULA_KEY: '', MATRICULA_KEY_FILE: file }).masterKeys).toHaveLength(1)
  expect(readConfig({ MATRICULA_KEY: key, MATRICULA_KEY_FILE: '' }).masterKeys).toHaveLength(1)
})

test.for(['https://school.example/matricula', 'https://school.example/matricula/'])(
  'a sub-path is refused with the reason: %s',
  (address) => {
    expect(complaintOf({ MATRICULA_PUBLIC_URL: address })).toMatch(
      /^MATRICULA_PUBLIC_URL must be an address such as [^\n]+ without a path [^\n]+ host name of its own[^\n]+\.$/,
    )
  },
)

test('mail needs a server, a sender and the public address', () => {
  const mail = {
    MATRICULA_SMTP_URL: 'smtps://me%40school.example:secret@mail.example:465',
    MATRICULA_MAIL_FROM: '"Northgate, Office" <office@school.example>',
    MATRICULA_PUBLIC_URL: 'https://school.example',
  }
  const config = readConfig(mail)
  expect(config.smtpUrl?.hostname).toBe('mail.example')
  expect(config.mailFrom).toEqual({ name: 'Northgate, Office', address: 'office@school.example' })
  for (const from of ['office@school.example', 'Office <office@school.example>'])
    expect(readConfig({ ...mail, MATRICULA_MAIL_FROM: from }).mailFrom?.address).toBe('office@school.example')
  for (const from of ['office', 'a@b.example, c@d.example', 'A <a@b.example>\r\nBcc: c@d.example'])
    expect(() => readConfig({ ...mail, MATRICULA_MAIL_FROM: from })).toThrow('MATRICULA_MAIL_FROM must be')
  for (const url of ['mail.example', 'https://mail.example', 'smtp://mail.example/?pool=true', 'smtp://'])
    expect(() => readConfig({ ...mail, MATRICULA_SMTP_URL: url })).toThrow('MATRICULA_SMTP_URL must be')
  for (const [name, needed] of [
    ['MATRICULA_MAIL_FROM', 'needs MATRICULA_MAIL_FROM'],
    ['MATRICULA_PUBLIC_URL', 'needs MATRICULA_PUBLIC_URL'],
  ] as const)
    expect(() => readConfig({ ...mail, [name]: '' })).toThrow(needed)
})

test('systemd passes one port on, to the process that it names', () => {
  const LISTEN_PID = `${process.pid}`
  expect(readConfig({ LISTEN_PID, LISTEN_FDS: '1' }).isPortInherited).toBe(true)
  expect(readConfig({ LISTEN_PID: '1', LISTEN_FDS: '1' }).isPortInherited).toBe(false)
  expect(readConfig({}).isPortInherited).toBe(false)
  expect(complaintOf({ LISTEN_PID, LISTEN_FDS: '2' })).toMatch(/^The socket unit must have one ListenStream/)
})
