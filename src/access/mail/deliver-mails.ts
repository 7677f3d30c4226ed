import type { Logger } from 'pino'
import type { Database, Queryable } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { composeMail } from './compose-mail.ts'
import { type ClaimedMail, claimMail, endMail, noteHandOver, postponeMail } from './mail-store.ts'
import { type SealedMail, sealNameOf } from './queue-mail.ts'
import { type MailServer, type MailTimeouts, type Outcome, sendMail, usualTimeouts } from './send-mail.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay before each attempt after the first. After the last one, the mail has failed. */
export const retryDelaysMs = [30 * second, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour]

/** Longer than an attempt may take. */
const leaseMs = 2 * minute
/** Of one organization, in one round. */
const mostAtOnce = 20

export interface MailWork {
  db: Database
  log: Logger
  keyring: Keyring
  server: MailServer
  timeouts?: MailTimeouts
  now?(): Date
}

/** Sends the mails of an organization that are due. Returns the number of attempts. */
export async function deliverMails(work: MailWork, corp_id: string, signal: AbortSignal): Promise<number> {
  const { db, log, now = () => new Date() } = work
  const on = db.of(corp_id)
  for (let done = 0; done < mostAtOnce && !signal.aborted; done++) {
    const at = now()
    const mail = await claimMail(on, corp_id, { now: at, leasedUntil: new Date(at.getTime() + leaseMs) })
    if (!mail) return done
    const { mail_id, kind, attempts } = mail
    const { problem, status, isFinal } = await attempt(work, on, corp_id, mail)
    const ended = now()
    if (problem === null) {
      await endMail(on, corp_id, mail, { state: 'sent', problem, status }, ended)
      log.info({ corp_id, mail_id, kind }, 'mail was sent')
      continue
    }
    const delayMs = isFinal ? undefined : retryDelaysMs[attempts - 1]
    log.warn({ corp_id, mail_id, kind, problem, status, attempts }, 'mail was not sent')
    if (delayMs === undefined) await endMail(on, corp_id, mail, { state: 'failed', problem, status }, ended)
    else
      await postponeMail(
        on,
        corp_id,
        mail,
        { next_at: new Date(ended.getTime() + delayMs), problem, status },
        ended,
      )
  }
  return mostAtOnce
}

const fault = (problem: Outcome['problem']): Outcome => ({ problem, status: null, reply: '', isFinal: true })

/** A mail is never sent twice: if an attempt ended while the server had the message, there is no other. */
async function attempt(
  { keyring, server, timeouts = usualTimeouts, now = () => new Date() }: MailWork,
  on: Queryable,
  corp_id: string,
  mail: ClaimedMail,
): Promise<Outcome> {
  if (mail.handed_at !== null) return fault('unknown')
  let sealed: SealedMail
  try {
    sealed = JSON.parse(keyring.open(sealNameOf(corp_id, mail.mail_id), mail))
  } catch {
    // Its master key is lost.
    return fault('unreadable')
  }
  const { to, content } = sealed
  const { mail_id, language } = mail
  const message = { mail_id, to, language, ...composeMail(content, language) }
  return sendMail(server, message, timeouts, async () => {
    if (!(await noteHandOver(on, corp_id, mail, now()))) throw new Error('The mail was withdrawn.')
  })
}
