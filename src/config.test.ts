import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

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

test.for([
  [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ MATRICULA_LOG_LEVEL: 'loud' }, /^MATRICULA_LOG_LEVEL must be one of [^\n]+\.$/],
  [{ DATABASE_URL: 'foo' }, /^DATABASE_URL must be a URL such as [^\n]+\.$/],
  [{ MATRICULA_KEY: 'short' }, /^MATRICULA_KEY must be 64 hexadecimal digits [^\n]+\.$/],
  [{ DATABASE_URL: somewhere }, /^MATRICULA_KEY is required with DATABASE_URL: [^\n]+\.$/],
  [{ MATRICULA_SHARDED: 'yes' }, 'MATRICULA_SHARDED must be true or false.'],
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

test('each of several bad settings has its sentence', () => {
  const complaints = complaintOf({ PORT: 'abc', MATRICULA_SHARDED: 'yes' }).split('\n')
  expect(complaints).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'MATRICULA_SHARDED must be true or false.',
  ])
})

test('no sentence repeats what may be a secret', () => {
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
