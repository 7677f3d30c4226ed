import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { loadSample, type SampleCredentials } from '../../sample/load-sample.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { bareEnvironment } from './bare-environment.ts'
import { testKeyring } from './keyring.ts'
import { readRecorded } from './recorded-statements.ts'
import { lintStatement } from './statement-lint.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number }
    sample: SampleCredentials
    /** Removed at the end of the run. */
    runFolder: string
    /** Holds changed pictures of the guide until the run ends. */
    pictureFolder: string
    /** Test files record their SQL statements here. */
    statementFolder: string
  }
}

/**
 * One real PostgreSQL for the whole run, with two templates that test files copy in a moment: an empty database of the
 * current schema (matricula) and one with the sample school (sample).
 */
export default async function setup(project: TestProject) {
  const runFolder = await mkdtemp(join(tmpdir(), 'matricula-test-'))
  const dataDir = await mkdtemp(join(await folderForDatabases(), 'matricula-test-'))
  const building = buildConsoleOnce()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    // Test data need not survive a power cut. The fault tests start their own PostgreSQL with durable settings.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' },
      // The log takes up memory, too.
      max_wal_size: '256MB',
    },
  })
  await migrate(postgres.owner)
  await copyDatabase(postgres.owner.host, 'matricula', 'sample')
  const db = openDatabase({ ...postgres.owner, database: 'sample' })
  const sample = await loadSample(db, testKeyring, async () => {})
  await db.close()

  await building
  project.provide('postgres', { host: postgres.owner.host, port: postgres.owner.port })
  project.provide('sample', sample)
  project.provide('runFolder', runFolder)
  const pictureFolder = join(runFolder, 'pictures')
  await mkdir(pictureFolder)
  project.provide('pictureFolder', pictureFolder)
  const statementFolder = await mkdtemp(join(tmpdir(), 'matricula-statements-'))
  project.provide('statementFolder', statementFolder)
  return async () => {
    await postgres.stop()
    // Pictures are part of the console: a change during the tests would be another version, which is not built.
    await cp(pictureFolder, join(import.meta.dirname, '../../docs/pictures'), { recursive: true })
    for (const folder of [dataDir, runFolder]) await rm(folder, { recursive: true, force: true })
    const statements = await readRecorded(statementFolder)
    await rm(statementFolder, { recursive: true, force: true })
    await refuseBreaches(statements)
  }
}

const memory = '/dev/shm'
/** A run of many histories fills more than 1 GB. */
const enoughBytes = 8 * 1024 ** 3

/** In memory if there is enough: creating and dropping the 900 files of a database takes ten times the CPU on a disk. */
async function folderForDatabases(): Promise<string> {
  const room = await statfs(memory).catch(() => undefined)
  const freeBytes = Math.min(room ? room.bavail * room.bsize : 0, freemem())
  return freeBytes > enoughBytes ? memory : tmpdir()
}

/** Builds the console for all servers of the tests, in a separate process without test settings. */
async function buildConsoleOnce(): Promise<void> {
  const cli = join(import.meta.dirname, '../../src/cli/matricula.ts')
  const env = { ...process.env, NODE_COMPILE_CACHE: bareEnvironment.NODE_COMPILE_CACHE }
  await promisify(execFile)(process.execPath, [cli, 'console', 'build'], { env })
}

/** Fails the run even if every test has passed. */
async function refuseBreaches(statements: string[]): Promise<void> {
  const breaches: string[] = []
  for (const text of statements)
    for (const fault of await lintStatement(text)) breaches.push(`A statement ${fault}:\n${text}`)
  if (breaches.length > 0) throw new Error(breaches.join('\n\n'))
}

async function copyDatabase(host: string, template: string, name: string): Promise<void> {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query(`create database ${name} template ${template} owner matricula_owner`)
  await client.end()
}
