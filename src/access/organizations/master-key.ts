import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveToOwnerOf, syncFolder } from '../../postgres/durable-files.ts'

/** The master keys that are kept in the data folder, newest first; the first one is made at the first use. */
export async function keepMasterKeys(dataDir: string): Promise<Buffer[]> {
  const file = fileIn(dataDir)
  const text = (await readIfPresent(file)) ?? (await makeOnce(dataDir, file))
  return keysIn(text, file)
}

/** The same once more, for a server whose keys another process has added to. */
export function rereadMasterKeys(dataDir: string): Buffer[] {
  return keysIn(readFileSync(fileIn(dataDir), 'utf8'), fileIn(dataDir))
}

/** Puts a new key before those that are there. */
export async function addMasterKey(dataDir: string): Promise<void> {
  const before = await keepMasterKeys(dataDir)
  await replaceKeys(dataDir, [randomBytes(32), ...before])
}

/** Leaves the newest one; returns how many it removed. */
export async function forgetOldKeys(dataDir: string): Promise<number> {
  const [newest, ...old] = await keepMasterKeys(dataDir)
  if (old.length > 0) await replaceKeys(dataDir, [newest!])
  return old.length
}

/** As a whole, so that no reader ever sees half of it, and no key is lost with the power. */
async function replaceKeys(dataDir: string, keys: Buffer[]): Promise<void> {
  const temporary = `${fileIn(dataDir)}.${randomBytes(6).toString('hex')}`
  await writePrivately(dataDir, temporary, keys)
  await rename(temporary, fileIn(dataDir))
  await syncFolder(dataDir)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'master.key')
}

function keysIn(text: string, file: string): Buffer[] {
  const lines = text.trim().split(/\s+/)
  if (!lines.every((line) => /^[0-9a-fA-F]{64}$/.test(line))) {
    throw new Error(
      `The master key ${file} must hold 64 hexadecimal digits; put the key back that was there before.`,
    )
  }
  return lines.map((line) => Buffer.from(line, 'hex'))
}

// A link to a complete file appears whole or not at all, and only once, however many processes try.
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
