import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'

export interface KeyedCall {
  corp_id: string
  app_id: string
  key: string
  /** Of the operation and the body. */
  body_hash: string
  now: Date
  /** Answers older than this are forgotten. */
  oldest: Date
}

/**
 * Claims a key for this transaction. False if it was answered before. A call in progress with the same key holds the claim
 * until it commits; this statement waits for it, up to the lock timeout.
 */
export async function claimKey(tx: Queryable, call: KeyedCall, waitMs: number): Promise<boolean> {
  // A command reaches the nodes of a cluster, where the lock waits happen.
  await tx.query(sql`set local lock_timeout = ${raw(String(Math.trunc(waitMs)))}`)
  await tx.query(sql`
    delete from idempotency_keys
     where corp_id = ${call.corp_id} and app_id = ${call.app_id} and key = ${call.key} and ctime < ${call.oldest}`)
  const rows = await tx.query(sql`
    insert into idempotency_keys (corp_id, app_id, key, body_hash, response, ctime)
    values (${call.corp_id}, ${call.app_id}, ${call.key}, ${call.body_hash}, '', ${call.now})
    on conflict (corp_id, app_id, key) do nothing
    returning key`)
  // The limit applies to the wait for the key only, not to later waits of the call.
  await tx.query(sql`set local lock_timeout to default`)
  return rows.length === 1
}

export async function keepResponse(tx: Queryable, call: KeyedCall, response: string): Promise<void> {
  await tx.query(sql`
    update idempotency_keys set response = ${response}
     where corp_id = ${call.corp_id} and app_id = ${call.app_id} and key = ${call.key}`)
}

export async function findResponse(
  tx: Queryable,
  call: KeyedCall,
): Promise<{ body_hash: string; response: string } | undefined> {
  const [row] = await tx.query<{ body_hash: string; response: string }>(sql`
    select body_hash, response from idempotency_keys
     where corp_id = ${call.corp_id} and app_id = ${call.app_id} and key = ${call.key}`)
  return row
}

/** The organizations with keys from before an instant. */
export async function findCorpIdsWithOldKeys(on: Surveyor, oldest: Date): Promise<string[]> {
  return on.corpIds(survey`select distinct k.corp_id from idempotency_keys k where k.ctime < ${oldest}`)
}

export async function pruneKeys(on: Queryable, corp_id: string, oldest: Date): Promise<void> {
  await on.query(sql`delete from idempotency_keys where corp_id = ${corp_id} and ctime < ${oldest}`)
}
