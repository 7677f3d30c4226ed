import type { Database } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { listOrganizations } from '../organizations/organization-store.ts'
import { findSealedMails, resealMail } from './mail-store.ts'
import { sealNameOf } from './queue-mail.ts'

/** Seals every waiting mail with the newest master key. Returns their number. An interrupted run can be repeated. */
export async function resealMails(db: Database, keyring: Keyring): Promise<number> {
  let resealed = 0
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    for (const mail of await findSealedMails(on, corp_id, keyring.newestKeyId)) {
      const name = sealNameOf(corp_id, mail.mail_id)
      await resealMail(on, corp_id, mail, keyring.seal(name, keyring.open(name, mail)))
      resealed++
    }
  }
  return resealed
}
