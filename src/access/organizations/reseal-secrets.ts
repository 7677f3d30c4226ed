import type { Database, Queryable } from '../../database/database.ts'
import { findProviderSecret, sealNameOf } from '../staff/provider/provider-store.ts'
import { checkoutSealName, findCheckoutSecret, resealCheckout } from './issuer-store.ts'
import type { Keyring } from './keyring.ts'
import { listOrganizations } from './organization-store.ts'
import { countByKey, findSealedByOthers, reseal, resealProvider, type SealedSecret } from './secret-store.ts'

const batchSize = 100

/**
 * Seals every secret with the newest master key, in batches. Servers continue, since both keys open secrets. An interrupted
 * run can be repeated. Returns the number of resealed secrets.
 */
export async function resealSecrets(
  db: Database,
  keyring: Keyring,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<number> {
  const newest = keyring.newestKeyId
  const total = await countSealedByOthers(db, newest)
  let done = 0
  const report = (more: number) => {
    done += more
    progress(Math.min(done, total), total)
  }
  const resealed = (name: string, sealed: SealedSecret) => keyring.seal(name, keyring.open(name, sealed))
  for (;;) {
    const found = await findSealedByOthers(db.shared, newest, batchSize)
    if (found.length === 0) break
    await db.shared.transaction(async (tx) => {
      for (const secret of found) await reseal(tx, secret, resealed(secret.app_id, secret))
    })
    report(found.length)
  }
  for (const secret of await secretsOf(db, findProviderSecret)) {
    if (secret.secret_key_id === newest) continue
    const { corp_id } = secret
    await resealProvider(db.of(corp_id), secret, resealed(sealNameOf(corp_id), secret))
    report(1)
  }
  for (const secret of await secretsOf(db, findCheckoutSecret)) {
    if (secret.secret_key_id === newest) continue
    const { corp_id } = secret
    await resealCheckout(db.of(corp_id), secret, resealed(checkoutSealName(corp_id), secret))
    report(1)
  }
  return done
}

/** The number of secrets of accounts, sign-in providers and checkouts by master key. */
export async function countSecretsByKey(db: Database): Promise<Map<string, number>> {
  const counts = new Map((await countByKey(db.shared)).map(({ key_id, secrets }) => [key_id, secrets]))
  for (const find of [findProviderSecret, findCheckoutSecret])
    for (const { secret_key_id } of await secretsOf(db, find))
      counts.set(secret_key_id, (counts.get(secret_key_id) ?? 0) + 1)
  return counts
}

export async function countSealedByOthers(db: Database, key_id: string): Promise<number> {
  const counts = await countSecretsByKey(db)
  return counts.entries().reduce((sum, [id, secrets]) => sum + (id === key_id ? 0 : secrets), 0)
}

/** The secrets of all organizations that have one. */
async function secretsOf(
  db: Database,
  find: (on: Queryable, corp_id: string) => Promise<SealedSecret | undefined>,
): Promise<(SealedSecret & { corp_id: string })[]> {
  const found = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const secret = await find(db.of(corp_id), corp_id)
    if (secret) found.push({ ...secret, corp_id })
  }
  return found
}
