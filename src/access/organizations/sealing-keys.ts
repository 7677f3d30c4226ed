import type { Database } from '../../database/database.ts'
import { listOrganizations } from './organization-store.ts'
import { type SealingKey, sealingAccounts, sealingOrganization } from './sealing-key-store.ts'

/** Organizations that are read at the same time. */
const concurrency = 4

/** The number of stored secrets by the id of the master key that seals them. */
export async function countSecretsByKey(db: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const add = (found: SealingKey[]) => {
    for (const { key_id, secrets } of found) counts.set(key_id, (counts.get(key_id) ?? 0) + secrets)
  }
  add(await sealingAccounts(db.shared))
  const left = (await listOrganizations(db.shared)).values()
  const readRest = async () => {
    for (const { corp_id } of left) add(await sealingOrganization(db.of(corp_id), corp_id))
  }
  await Promise.all(Array.from({ length: concurrency }, readRest))
  return counts
}

/** The number of secrets that other keys seal. */
export async function countSealedByOthers(db: Database, key_id: string): Promise<number> {
  const counts = await countSecretsByKey(db)
  return counts.entries().reduce((sum, [id, secrets]) => sum + (id === key_id ? 0 : secrets), 0)
}
