import { createKeyring, type Keyring, keyIdOf } from './access/organizations/keyring.ts'
import {
  makeMasterKey,
  masterKeyFile,
  readMasterKeys,
  rereadMasterKeys,
} from './access/organizations/master-key.ts'
import { countSecretsByKey } from './access/organizations/sealing-keys.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'

type KeySettings = Pick<Config, 'masterKeys' | 'dataDir' | 'lostKeys'>

/**
 * Opens the master keys of an installation. Refuses keys that do not open every stored secret. Creates the first key of a
 * data folder, but never if another key seals stored secrets: those would then look damaged.
 */
export async function openKeyring(settings: KeySettings, db: Database): Promise<Keyring> {
  if (!(await requireKeys(settings, db))) await makeMasterKey(settings.dataDir)
  return joinKeyring(settings)
}

/** The keys of an installation; undefined where it has none and needs none. Throws if a stored secret needs another key. */
export async function requireKeys(settings: KeySettings, db: Database): Promise<Buffer[] | undefined> {
  const keys = await findMasterKeys(settings)
  const known = new Set([...(keys ?? []).map(keyIdOf), ...settings.lostKeys])
  const missing = [...(await countSecretsByKey(db))].filter(([id]) => !known.has(id))
  if (missing.length > 0) throw new Error(missingSentence(settings, keys, missing))
  return keys
}

/** Takes over keys that changed since the start, unless they cannot open a stored secret. */
export async function reloadKeyring(keyring: Keyring, settings: KeySettings, db: Database): Promise<void> {
  const opened = await openKeyring(settings, db)
  if (opened.newestKeyId === keyring.newestKeyId && opened.tokenKeys.length === keyring.tokenKeys.length)
    return
  keyring.replace((await findMasterKeys(settings)) ?? [])
}

/** The keys that another process of this installation has opened. */
export async function joinKeyring(settings: KeySettings): Promise<Keyring> {
  const keys = await findMasterKeys(settings)
  if (!keys) throw new Error(`The file ${masterKeyFile(settings.dataDir)} is missing: restore it.`)
  return createKeyring(keys, settings.masterKeys ? undefined : () => rereadMasterKeys(settings.dataDir))
}

/** The existing keys; undefined without any. */
export async function findKeyring(settings: KeySettings): Promise<Keyring | undefined> {
  const keys = await findMasterKeys(settings)
  return keys && createKeyring(keys)
}

/** Newest first; undefined where the data folder has no key yet. */
export async function findMasterKeys({ masterKeys, dataDir }: KeySettings): Promise<Buffer[] | undefined> {
  return masterKeys ?? (await readMasterKeys(dataDir))
}

function missingSentence(
  { masterKeys, dataDir }: KeySettings,
  keys: Buffer[] | undefined,
  missing: [id: string, secrets: number][],
): string {
  const secrets = missing.reduce((sum, [, count]) => sum + count, 0)
  const ids = missing.map(([id]) => id).join(', ')
  const file = masterKeyFile(dataDir)
  const place = masterKeys ? 'MATRICULA_KEY' : file
  const found = keys ? `${place} has ${keys.map(keyIdOf).join(', ')}` : `${file} does not exist`
  const remedy = masterKeys
    ? 'add that key to MATRICULA_KEY, after the newest one and a comma'
    : `restore the file ${file} with that key, or set MATRICULA_KEY`
  return (
    `The database holds ${secrets} secrets that need the master key ${ids}, but ${found}: ${remedy}. ` +
    `If the key is lost for good, set MATRICULA_LOST_KEYS=${missing.map(([id]) => id).join(',')} and give the accounts new secrets.`
  )
}
