import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export const NOBODY = { uid: 65534, gid: 65534 }

export async function query(address: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function writeUntilFailure(address: pg.ClientConfig, acknowledged: number[]): Promise<void> {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (let n = (acknowledged.at(-1) ?? 0) + 2; ; n++) {
      await client.query('insert into written values ($1)', [n])
      acknowledged.push(n)
    }
  } catch {
    await client.end().catch(() => undefined)
  }
}

export async function waitFor<Result>(check: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(50)
    }
  }
}

/** The process id of the PostgreSQL of a data folder. */
export function readPid(dir: string): number {
  return Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

export async function foldersWithPostmaster(base: string): Promise<string[]> {
  const files = await readdir(base, { recursive: true })
  return files
    .filter((file) => file.endsWith('/postgres/postmaster.pid'))
    .map((file) => join(base, file, '../../src'))
}

export function listeningTcpSocketsOf(pid: number): string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8')).join('\n')
  return tables.split('\n').filter((line) => {
    const fields = line.trim().split(/\s+/)
    const isListening = fields[3] === '0A'
    return isListening && links.includes(`socket:[${fields[9]}]`)
  })
}

/** A script that connects to the server in its working folder as this role, and prints the response. */
export function greetServer(role: string): string {
  return `
    const body = Buffer.from('\\0\\x03\\0\\0user\\0${role}\\0database\\0matricula\\0\\0', 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length + 4)
    require('node:net').connect('./.s.PGSQL.5432').on('data', (data) => process.stdout.write(data))
      .write(Buffer.concat([length, body]))`
}

/** Whether an ordinary user can run our code, which a checkout in a private home prevents. */
export function canRun(code: string): boolean {
  try {
    execFileSync(process.execPath, ['-e', code], { ...NOBODY, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
