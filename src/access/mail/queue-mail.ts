import { newId } from '../../contract/new-id.ts'
import type { Queryable } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { insertMail } from './mail-store.ts'
import type { MailContent, MailLanguage } from './mail-words.ts'

declare module '../../contract/endpoint.ts' {
  interface OrganizationContext {
    /** The address at which browsers reach the service. Absent: it is not configured. */
    publicOrigin?: string | undefined
    /** Whether mail is sent. The public address is then configured. */
    sendsMail?: boolean
  }
}

export interface Recipient {
  name: string
  address: string
}

/** The part of a mail that is sealed. */
export interface SealedMail {
  to: Recipient
  content: MailContent
}

interface WantedMail extends SealedMail {
  corp_id: string
  /** One cause sends one mail. */
  cause: string
  record_type: string
  record_id: string
  /** The user or payer whom it goes to. Absent: staff. */
  person_id?: string
  language: MailLanguage
  executor_id: string
}

/** Puts a mail into the outbox, in the transaction of its cause. Returns false if the cause has a mail already. */
export async function queueMail(
  tx: Queryable,
  keyring: Keyring,
  { corp_id, to, content, person_id = null as never, ...mail }: WantedMail,
  now: Date,
): Promise<boolean> {
  const mail_id = newId()
  const sealed = keyring.seal(
    sealNameOf(corp_id, mail_id),
    JSON.stringify({ to, content } satisfies SealedMail),
  )
  return insertMail(tx, corp_id, { ...mail, ...sealed, mail_id, person_id, kind: content.kind }, now)
}

/** The name that a box is bound to. */
export function sealNameOf(corp_id: string, mail_id: string): string {
  return `mail ${corp_id} ${mail_id}`
}

const chineseCountries = new Set(['CN', 'HK', 'MO', 'TW'])

/** The language of the school, for readers whose own is not known. */
export function languageOfSchool({ country }: { country: string }): MailLanguage {
  return chineseCountries.has(country) ? 'zh' : 'en'
}
