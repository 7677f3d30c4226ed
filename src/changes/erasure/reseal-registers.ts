import type { Keyring } from '../../access/organizations/keyring.ts'
import { listOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database } from '../../database/database.ts'
import { resealedKey } from './contact-hash.ts'
import { findRegister, replaceBox, sealedKeyOf } from './tombstone-store.ts'

/** The master keys that seal the tombstone keys, one entry per organization. */
export async function registerKeyIds(db: Database): Promise<string[]> {
  const ids: string[] = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const sealed = sealedKeyOf(await findRegister(db.of(corp_id), corp_id))
    if (sealed) ids.push(sealed.secret_key_id)
  }
  return ids
}

/**
 * Seals the tombstone keys with the newest master key. The hashes do not change. Returns the number of resealed keys.
 */
export async function resealRegisters(db: Database, keyring: Keyring, newest: string): Promise<number> {
  let resealed = 0
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    const sealed = sealedKeyOf(await findRegister(on, corp_id))
    if (!sealed || sealed.secret_key_id === newest) continue
    await replaceBox(on, corp_id, sealed, resealedKey(keyring, corp_id, sealed))
    resealed++
  }
  return resealed
}
