import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, secretFileSettings, settings } from '../src/config.ts'
import { closingMs } from '../src/server/stopping.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'deploy')
const files = readdirSync(folder)
const contentOf = (file: string) => readFileSync(join(folder, file), 'utf8')
const unit = contentOf('matricula.service')
const socket = contentOf('matricula.socket')
const run = promisify(execFile)

const directive = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

test.for(files)('%s names settings that exist', (file) => {
  const names = contentOf(file).match(/\b(?:MATRICULA|DATABASE)_[A-Z_]+\b/g) ?? []
  const known = new Set([...Object.keys(settings), ...Object.keys(secretFileSettings)])
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test.for(files)('%s names files of the project that exist', (file) => {
  const paths = contentOf(file).match(/\b(?:src|docs|deploy)\/[\w./-]*\w/g) ?? []
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the settings are valid once the files of secrets exist', async () => {
  const secrets = await mkdtemp(join(tmpdir(), 'matricula-deploy-'))
  try {
    const env = parseEnv(contentOf('matricula.env')) as Record<string, string>
    await writeFile(join(secrets, 'url'), 'postgres://matricula:x@127.0.0.1:5432/matricula\n')
    await writeFile(join(secrets, 'key'), `${'ab'.repeat(32)}\n`)
    const config = readConfig({
      ...env,
      DATABASE_URL_FILE: join(secrets, 'url'),
      MATRICULA_KEY_FILE: join(secrets, 'key'),
    })
    expect(Object.keys(env)).toEqual(expect.arrayContaining(['DATABASE_URL_FILE', 'MATRICULA_KEY_FILE']))
    expect(config.trustProxy).toBe(1)
    expect(socket).toContain(`ListenStream=${config.host}:${config.port}\n`)
    for (const file of ['nginx.conf', 'Caddyfile']) {
      expect(contentOf(file)).toContain(`${config.host}:${config.port}`)
      expect(contentOf(file)).toContain(config.publicUrl!.hostname)
    }
  } finally {
    await rm(secrets, { recursive: true })
  }
})

test('systemd starts the server as npm start does, and waits longer than the drain', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const start = /exec (node .*)$/.exec(scripts.start)![1]
  expect(directive('ExecStart')).toBe(`/usr/bin/${start}`)
  const { MATRICULA_DRAIN_MS, MATRICULA_DRAIN_TIMEOUT_MS } = settings
  const drainMs = Number(MATRICULA_DRAIN_MS.default) + closingMs + Number(MATRICULA_DRAIN_TIMEOUT_MS.default)
  expect(Number(directive('TimeoutStopSec')) * 1000).toBeGreaterThan(drainMs)
})

test('the proxies accept the sizes of the service, and buffer no events', () => {
  const nginx = contentOf('nginx.conf')
  const limit = Number(settings.MATRICULA_BODY_LIMIT.default)
  expect(Number(/client_max_body_size (\d+)m;/.exec(nginx)![1]) * 1024 * 1024).toBeGreaterThan(limit)
  expect(Number(/max_size (\d+)MB/.exec(contentOf('Caddyfile'))![1]) * 1_000_000).toBeGreaterThan(limit)
  const stream = /location = (\S+\/event\/stream) \{[^}]*proxy_buffering off;/.exec(nginx)?.[1]
  const source = readFileSync(join(root, 'src/server/pages/event-stream.ts'), 'utf8')
  expect(source).toContain(`pages.getUncounted('${stream}'`)
})

test('installed systemd, nginx and Caddy accept their files', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'matricula-deploy-'))
  try {
    await cp(folder, copy, { recursive: true })
    // The program of ExecStart must exist for systemd. The variant with credentials is checked too.
    const whole = unit.replace('/usr/bin/node', process.execPath).replace(/^#(?=\w+=)/gm, '')
    await writeFile(join(copy, 'matricula.service'), whole)
    const site = await readFile(join(copy, 'nginx.conf'), 'utf8')
    await writeFile(join(copy, 'whole.conf'), `events {}\nhttp {\n${site}}\n`)
    const units = ['matricula.service', 'matricula.socket'].map((name) => join(copy, name))
    await accepts('systemd-analyze', ['verify', '--man=no', ...units])
    await accepts('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(copy, 'Caddyfile')])
    await certificate(copy)
    await accepts('nginx', ['-t', '-p', copy, '-e', 'stderr', '-c', join(copy, 'whole.conf')])
  } finally {
    await rm(copy, { recursive: true })
  }

  async function accepts(program: string, args: string[]): Promise<void> {
    const outcome = await run(program, args).catch((error) => error)
    // Not found, or not findable because a folder of the search path is closed to this user.
    if (outcome.code === 'ENOENT' || outcome.code === 'EACCES') return
    expect(outcome.code ?? 0, `${program}: ${outcome.stderr}`).toBe(0)
    if (program === 'systemd-analyze') expect(outcome.stderr).not.toMatch(/matricula\.(service|socket)/)
  }

  /** nginx opens the certificate while it checks. */
  async function certificate(place: string): Promise<void> {
    const names = ['-keyout', join(place, 'privkey.pem'), '-out', join(place, 'fullchain.pem')]
    const made = await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=x',
      ...names,
    ]).catch((error) => error)
    if (made.code === 'ENOENT') return
    const config = join(place, 'whole.conf')
    await writeFile(config, (await readFile(config, 'utf8')).replaceAll('/etc/ssl/matricula', place))
  }
})
