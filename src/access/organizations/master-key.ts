import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveToOwnerOf, syncFolder } from '../../postgres/durable-files.ts'

/** Reads the master keys of the data folder, newest first; undefined where it has none. */
export async function readMasterKeys(dataDir: string): Promise<Buffer[] | undefined> {
  const file = masterKeyFile(dataDir)
  const text = await readIfPresent(file)
  return text === undefined ? undefined : keysIn(text, file)
}

/** Creates the first key of a data folder, unless another process has done so. */
export async function makeMasterKey(dataDir: string): Promise<Buffer[]> {
  const file = masterKeyFile(dataDir)
  return keysIn(await makeOnce(dataDir, file), file)
}

/** Reads the keys again: another process may have added one. */
export function rereadMasterKeys(dataDir: string): Buffer[] {
  return keysIn(readFileSync(masterKeyFile(dataDir), 'utf8'), masterKeyFile(dataDir))
}

/** Adds a new key before the existing ones. */
export async function addMasterKey(dataDir: string): Promise<void> {
  const before = await readMasterKeys(dataDir)
  await replaceKeys(dataDir, [randomBytes(32), ...(before ?? [])])
}

/** Removes all keys but the newest. Returns the number of removed keys. */
export async function removeOldKeys(dataDir: string): Promise<number> {
  const [newest, ...old] = (await readMasterKeys(dataDir)) ?? []
  if (newest && old.length > 0) await replaceKeys(dataDir, [newest])
  return old.length
}

/** Replaces the file atomically and durably: no reader sees half of it, and a power cut loses no key. */
async function replaceKeys(dataDir: string, keys: Buffer[]): Promise<void> {
  const temporary = `${masterKeyFile(dataDir)}.${randomBytes(6).toString('hex')}`
  await writePrivately(dataDir, temporary, keys)
  await rename(temporary, masterKeyFile(dataDir))
  await syncFolder(dataDir)
}

export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key')
}

function keysIn(text: string, file: string): Buffer[] {
  const lines = text.trim().split(/\s+/)
  if (!lines.every((line) => /^[0-9a-fA-F]{64}$/.test(line))) {
    throw new Error(`The master key ${file} must have 64 hexadecimal digits: restore the previous file.`)
  }
  return lines.map((line) => Buffer.from(line, 'hex'))
}

// A hard link to a complete file is atomic, and only one of several processes creates it.
async function makeOnce(dataDir: string, file: string): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writePrivately(dataDir, temporary, [randomBytes(32)])
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(dataDir)
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(file, 'utf8')
}

async function writePrivately(dataDir: string, temporary: string, keys: Buffer[]): Promise<void> {
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(keys.map((key) => `${key.toString('hex')}\n`).join(''))
    await giveToOwnerOf(handle, dataDir)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`The master key ${file} cannot be read (${error.code}).`)
    return undefined
  })
}
