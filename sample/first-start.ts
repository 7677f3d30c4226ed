import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keyring } from '../src/access/organizations/keyring.ts'
import { makeLink } from '../src/access/staff/manage-staff.ts'
import { type Database, openDatabase, type Queryable } from '../src/database/database.ts'
import type { Installation } from '../src/installation.ts'
import { giveToOwnerOf } from '../src/postgres/durable-files.ts'
import {
  isEmptyDatabase,
  type LoadedSchool,
  loadSample,
  type SampleCredentials,
  sampleCorpId,
} from './load-sample.ts'
import { staffIdOf } from './sample-staff.ts'

export interface StoredSample extends SampleCredentials {
  base_url: string
}

/** Loads the sample school into an empty database. Returns true if it did. After an abort, nothing is left. */
export async function loadSampleOnFirstStart(
  { owner }: Installation,
  keyring: Keyring,
  dataDir: string,
  signal: AbortSignal,
): Promise<boolean> {
  const db = openDatabase({ ...owner, max: 2 })
  try {
    if (!(await isEmptyDatabase(db))) return false
    // Stored before the commit: a kill in between leaves credentials without a school, which the next start replaces.
    const keep = async (credentials: SampleCredentials) => {
      signal.throwIfAborted()
      await store(dataDir, { base_url: '', ...credentials })
    }
    await loadPresentSample(db, keyring, keep)
    return true
  } finally {
    await db.close()
  }
}

/** The sample school up to yesterday, with the work of its offices. */
export function loadPresentSample(
  db: Database,
  keyring: Keyring,
  keep: (credentials: SampleCredentials) => Promise<void>,
  now = new Date(),
): Promise<SampleCredentials> {
  const add = async (tx: Queryable, school: LoadedSchool) => {
    // They import operations, which later starts do not need here.
    const [{ addFinance }, { addLeadFile }] = await Promise.all([
      import('./sample-finance.ts'),
      import('./sample-lead-file.ts'),
    ])
    await addFinance(tx, school, now)
    await addLeadFile(tx, school, now)
  }
  return loadSample(db, keyring, keep, { now, add })
}

/** Writes the present address of the service to sample.json; undefined if there is no sample school. */
export async function publishSample(dataDir: string, base_url: string): Promise<StoredSample | undefined> {
  try {
    const sample = { ...(JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as StoredSample), base_url }
    await store(dataDir, sample)
    return sample
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A single-use link that signs in as the administrator of the sample school. */
export async function linkIntoSample(db: Database, baseUrl: string): Promise<string> {
  const account = { corp_id: sampleCorpId, staff_id: staffIdOf('admin') }
  return `${baseUrl}/enter#${await makeLink(db.of(sampleCorpId), account, 'sign_in', new Date())}`
}

/** Replaces the file as a whole, so that no reader sees half of it. */
async function store(dataDir: string, sample: StoredSample): Promise<void> {
  const temporary = `${fileIn(dataDir)}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(sample, null, 2)}\n`)
    await giveToOwnerOf(handle, dataDir)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, fileIn(dataDir))
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'sample.json')
}
