import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, sql, timestamp } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import type { SealedSecret } from '../organizations/secret-store.ts'
import type { MailKind, MailLanguage } from './mail-words.ts'

export type MailState = 'waiting' | 'sent' | 'failed'

export interface NewMail extends SealedSecret {
  mail_id: string
  kind: MailKind
  cause: string
  record_type: string
  record_id: string
  person_id: string | null
  language: MailLanguage
  executor_id: string
}

/** Returns false if the cause has a mail already. */
export async function insertMail(tx: Queryable, corp_id: string, mail: NewMail, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into mails (corp_id, mail_id, kind, cause, record_type, record_id, person_id, language, secret_box,
                       secret_key_id, state, next_at, executor_id, ctime, mtime)
    values (${corp_id}, ${mail.mail_id}, ${mail.kind}, ${mail.cause}, ${mail.record_type}, ${mail.record_id},
            ${mail.person_id}, ${mail.language}, ${mail.secret_box}, ${mail.secret_key_id}, 'waiting', ${now},
            ${mail.executor_id}, ${now}, ${now})
    on conflict (corp_id, cause) do nothing
    returning mail_id`)
  return rows.length === 1
}

/** Deletes the mails of a record that are not sent: their links no longer work. */
export async function deleteWaitingMails(tx: Queryable, corp_id: string, record_id: string): Promise<void> {
  await tx.query(sql`
    delete from mails where corp_id = ${corp_id} and record_id = ${record_id} and state = 'waiting'`)
}

/** Forgets a mail that failed, so that it can be sent again. */
export async function deleteFailedMail(tx: Queryable, corp_id: string, cause: string): Promise<void> {
  await tx.query(sql`
    delete from mails where corp_id = ${corp_id} and cause = ${cause} and state = 'failed'`)
}

/** The organizations with mails to send. */
export async function findCorpIdsWithDueMails(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct m.corp_id from mails m where m.state = 'waiting' and m.next_at <= ${now}`)
}

/** A mail that this process has until the end of its lease. */
export interface ClaimedMail extends SealedSecret {
  mail_id: string
  kind: MailKind
  language: MailLanguage
  /** The number of this attempt. */
  attempts: number
  /** An earlier attempt ended after the handover, with an unknown outcome. */
  handed_at: Date | null
}

/** Takes the next mail that is due. Of two processes, one gets it. */
export async function claimMail(
  on: Queryable,
  corp_id: string,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<ClaimedMail | undefined> {
  const due = await on.query<{ mail_id: string; attempts: number }>(sql`
    select mail_id, attempts from mails
     where corp_id = ${corp_id} and state = 'waiting' and next_at <= ${now} order by next_at, mail_id limit 5`)
  for (const { mail_id, attempts } of due) {
    const [claimed] = await on.query<ClaimedMail>(sql`
      update mails set attempts = attempts + 1, next_at = ${leasedUntil}
       where corp_id = ${corp_id} and mail_id = ${mail_id} and attempts = ${attempts} and state = 'waiting'
      returning mail_id, kind, language, secret_box, secret_key_id, attempts, handed_at`)
    if (claimed) return claimed
  }
  return undefined
}

type Attempt = Pick<ClaimedMail, 'mail_id' | 'attempts'>

/** Notes the handover to the mail server. Returns false if the mail is no longer this attempt's. */
export async function noteHandOver(
  on: Queryable,
  corp_id: string,
  { mail_id, attempts }: Attempt,
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    update mails set handed_at = ${now}
     where corp_id = ${corp_id} and mail_id = ${mail_id} and attempts = ${attempts} and state = 'waiting'
    returning mail_id`)
  return rows.length === 1
}

export interface MailOutcome {
  problem: string | null
  status: number | null
}

/** Ends a mail, and removes its address and link. */
export async function endMail(
  on: Queryable,
  corp_id: string,
  { mail_id, attempts }: Attempt,
  { state, problem, status }: MailOutcome & { state: 'sent' | 'failed' },
  now: Date,
): Promise<void> {
  await on.query(sql`
    update mails
       set state = ${state}, secret_box = null, secret_key_id = null, handed_at = null, problem = ${problem},
           status = ${status}, mtime = ${now}
     where corp_id = ${corp_id} and mail_id = ${mail_id} and attempts = ${attempts} and state = 'waiting'
    returning mail_id`)
}

/** Notes a failed attempt that is repeated. */
export async function postponeMail(
  on: Queryable,
  corp_id: string,
  { mail_id, attempts }: Attempt,
  { next_at, problem, status }: MailOutcome & { next_at: Date },
  now: Date,
): Promise<void> {
  await on.query(sql`
    update mails
       set next_at = ${next_at}, handed_at = null, problem = ${problem}, status = ${status}, mtime = ${now}
     where corp_id = ${corp_id} and mail_id = ${mail_id} and attempts = ${attempts} and state = 'waiting'
    returning mail_id`)
}

/** A mail as staff see it. */
export interface ListedMail {
  mail_id: string
  kind: MailKind
  record_type: string
  record_id: string
  state: MailState
  problem: string
  status: number | null
  attempts: number
  executor_id: string
  ctime: string
  mtime: string
}

/** A page of mails, the newest first. */
export async function findMailPage(
  on: Queryable,
  corp_id: string,
  { record_id, limit, offset }: { record_id: string | undefined; limit: number; offset: number },
  timeZone: string,
): Promise<{ total: number; list: ListedMail[] }> {
  const ofRecord = record_id === undefined ? raw('') : sql`and record_id = ${record_id}`
  const [[counted], list] = await on.pipeline<[{ total: number }, ListedMail]>([
    sql`select count(*) as total from mails where corp_id = ${corp_id} ${ofRecord}`,
    sql`
      select mail_id, kind, record_type, record_id, state, coalesce(problem, '') as problem, status, attempts, executor_id,
             ${timestamp('ctime', timeZone)} as ctime, ${timestamp('mtime', timeZone)} as mtime
        from mails
       where corp_id = ${corp_id} ${ofRecord}
       order by mails.ctime desc, mail_id desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

export async function findMailByCause(
  on: Queryable,
  corp_id: string,
  cause: string,
): Promise<{ mail_id: string; state: MailState } | undefined> {
  const [mail] = await on.query<{ mail_id: string; state: MailState }>(sql`
    select mail_id, state from mails where corp_id = ${corp_id} and cause = ${cause}`)
  return mail
}

export async function findCorpIdsWithOldMails(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct m.corp_id from mails m where m.state <> 'waiting' and m.ctime < ${before}`)
}

/** Deletes a step of the mails that ended. */
export async function pruneMails(on: Queryable, corp_id: string, before: Date, limit: number): Promise<void> {
  await on.query(sql`
    delete from mails
     where corp_id = ${corp_id} and mail_id = any(array(
       select m.mail_id from mails m
        where m.corp_id = ${corp_id} and m.state <> 'waiting' and m.ctime < ${before}
        order by m.ctime limit ${limit}))`)
}

/** Waiting mails, whose boxes other master keys seal. */
export async function findSealedMails(
  on: Queryable,
  corp_id: string,
  newestKeyId: string,
): Promise<(SealedSecret & { mail_id: string })[]> {
  return on.query(sql`
    select mail_id, secret_box, secret_key_id from mails
     where corp_id = ${corp_id} and state = 'waiting' and secret_key_id <> ${newestKeyId}`)
}

export async function resealMail(
  on: Queryable,
  corp_id: string,
  before: SealedSecret & { mail_id: string },
  { secret_box, secret_key_id }: SealedSecret,
): Promise<void> {
  await on.query(sql`
    update mails set secret_box = ${secret_box}, secret_key_id = ${secret_key_id}
     where corp_id = ${corp_id} and mail_id = ${before.mail_id} and secret_key_id = ${before.secret_key_id}
    returning mail_id`)
}
