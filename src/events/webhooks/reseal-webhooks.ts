import type { Keyring } from '../../access/organizations/keyring.ts'
import { listOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database } from '../../database/database.ts'
import { findSecrets, resealSecret, sealNameOf } from './endpoint-store.ts'

const everBefore = new Date(0)

/** Seals every secret of webhooks with the newest master key. Returns their number. An interrupted run can be repeated. */
export async function resealWebhooks(db: Database, keyring: Keyring): Promise<number> {
  let resealed = 0
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    for (const secret of await findSecrets(on, corp_id, everBefore)) {
      if (secret.secret_key_id === keyring.newestKeyId) continue
      const name = sealNameOf(corp_id, secret.endpoint_id)
      await resealSecret(on, corp_id, secret, keyring.seal(name, keyring.open(name, secret)))
      resealed++
    }
  }
  return resealed
}
