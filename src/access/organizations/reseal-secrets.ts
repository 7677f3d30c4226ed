import type { Database, Queryable } from '../../database/database.ts'
import { findProviderSecret, sealNameOf } from '../staff/provider/provider-store.ts'
import { checkoutSealName, findCheckoutSecret, resealCheckout } from './issuer-store.ts'
import type { Keyring } from './keyring.ts'
import { listOrganizations } from './organization-store.ts'
import { sealingAccounts } from './sealing-key-store.ts'
import { findSealedByOthers, reseal, resealProvider, type SealedSecret } from './secret-store.ts'

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
  const isOld = ({ key_id }: { key_id: string }) => key_id !== newest
  const accounts = (await sealingAccounts(db.shared)).filter(isOld)
  const providers = await oldSecretsOf(db, findProviderSecret, newest)
  const checkouts = await oldSecretsOf(db, findCheckoutSecret, newest)
  const total = accounts.reduce((sum, { secrets }) => sum + secrets, providers.length + checkouts.length)
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
  for (const secret of providers) {
    const { corp_id } = secret
    await resealProvider(db.of(corp_id), secret, resealed(sealNameOf(corp_id), secret))
    report(1)
  }
  for (const secret of checkouts) {
    const { corp_id } = secret
    await resealCheckout(db.of(corp_id), secret, resealed(checkoutSealName(corp_id), secret))
    report(1)
  }
  return done
}

/** The secrets of all organizations that another key than the newest seals. */
async function oldSecretsOf(
  db: Database,
  find: (on: Queryable, corp_id: string) => Promise<SealedSecret | undefined>,
  newest: string,
): Promise<(SealedSecret & { corp_id: string })[]> {
  const found = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const secret = await find(db.of(corp_id), corp_id)
    if (secret && secret.secret_key_id !== newest) found.push({ ...secret, corp_id })
  }
  return found
}
