import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'

const folders = new Set<string>()

export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-process-'))
  folders.add(folder)
  return folder
}

/** Those of this test file. */
export function dataDirs(): Set<string> {
  return folders
}

/** Creates a data folder with an initialized, empty PostgreSQL: initialization takes most of a first start. */
export function copyInitialized(to: string): Promise<void> {
  return copyMadeOnce(to, 'initialized', async (dataDir) => {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    await postgres.stop()
  })
}

/** Copies a folder that the first caller of a run creates. */
export async function copyMadeOnce(
  to: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const made = join(inject('runFolder'), name)
  const making = `${made}.making`
  if (await isFirst(making)) {
    await make(making)
    await rename(making, made)
  }
  for (let waits = 0; !existsSync(made); waits++) {
    if (waits > 2000) throw new Error(`The folder ${name}, which other tests copy, could not be made.`)
    await pause(100)
  }
  await mkdir(to, { recursive: true, mode: 0o700 })
  // Another user may own the files, and must keep them.
  await promisify(execFile)('cp', ['-a', `${made}/.`, to])
}

/** The claim file stays, so that only one caller is ever the first. */
async function isFirst(making: string): Promise<boolean> {
  try {
    await mkdir(`${making}.claimed`)
    await mkdir(making)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export async function removeDataDirs(): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.clear()
}
