import type pg from 'pg'
import { type AuditEnd, auditEndOf } from '../../access/audit/audit-chain-store.ts'
import { chainedCorpIds } from '../../access/audit/link-entries.ts'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import { type Database, openDatabase, type Queryable } from '../../database/database.ts'
import { schemaStatus } from '../../database/migrate.ts'
import { microseconds, sql } from '../../database/sql.ts'
import { type ChainEnd, chainEndOf } from '../../orders/ledger/chain/chain-store.ts'

/** Reads the instant last, so that the chains had these ends at that instant. */
export async function findHead(on: Queryable, corp_id: string): Promise<PublishedHead> {
  const [[audit], [ledger], [clock]] = await on.pipeline<[AuditEnd, ChainEnd, { at: string }]>([
    auditEndOf(corp_id),
    chainEndOf(corp_id),
    sql`select ${microseconds('clock_timestamp()')} as at`,
  ])
  return {
    ...{ corp_id, at: clock!.at, length: audit?.length ?? 0, head: audit?.head ?? '' },
    ...(ledger && { ledger_length: ledger.length, ledger_head: ledger.head }),
  }
}

export async function findAllHeads(db: Database): Promise<PublishedHead[]> {
  const heads: PublishedHead[] = []
  for (const corp_id of await chainedCorpIds(db)) heads.push(await findHead(db.of(corp_id), corp_id))
  return heads
}

/** Opens the database for it; undefined where its schema is older than this version, which then does not read it. */
export async function findHeadsOf(owner: pg.ClientConfig): Promise<PublishedHead[] | undefined> {
  if ((await schemaStatus(owner)).pending.length > 0) return undefined
  const db = openDatabase({ ...owner, max: 1 })
  return findAllHeads(db).finally(() => db.close())
}
