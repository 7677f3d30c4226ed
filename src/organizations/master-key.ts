import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The master key that is kept in the data folder, made at the first use. */
export async function keepMasterKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'master.key')
  const text = (await readIfPresent(file)) ?? (await makeOnce(dataDir, file))
  if (!/^[0-9a-fA-F]{64}\s*$/.test(text)) {
    throw new Error(
      `The master key ${file} must hold 64 hexadecimal digits; put the key back that was there before.`,
    )
  }
  return Buffer.from(text.trim(), 'hex')
}

// A link to a complete file appears whole or not at all, and only once, however many processes try.
async function makeOnce(dataDir: string, file: string): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writePrivately(dataDir, temporary)
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(dataDir)
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(file, 'utf8')
}

async function writePrivately(dataDir: string, temporary: string): Promise<void> {
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    // Root may run this once on a folder of somebody who has to be able to go on without root.
    if (process.getuid?.() === 0) {
      const owner = await stat(dataDir)
      await handle.chown(owner.uid, owner.gid)
    }
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
