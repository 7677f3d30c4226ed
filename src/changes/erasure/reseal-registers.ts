import type { Keyring } from '../../access/organizations/keyring.ts'
import { listOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database } from '../../database/database.ts'
import { resealedKey } from './contact-hash.ts'
import { findRegister, replaceBox, sealedKeyOf } from './tombstone-store.ts'

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
