import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { raw, sql } from '../../database/sql.ts'
import type { LimitKind, MoneyLimits } from './money-limit-store.ts'

/** A request to raise limits. */
export interface LimitRequest {
  request_id: string
  /** The limits that it changes. */
  kind: LimitKind
  before: MoneyLimits
  wanted: MoneyLimits
  requested_by: string
  /** The people who may not approve it: it counts as their request. */
  acting_for: string[]
  at: Date
  state: 'waiting' | 'approved' | 'declined'
}

const columns = raw(`
  r.request_id, r.kind, r.before, r.wanted, r.requested_by, r.acting_for, r.at, coalesce(d.outcome, 'waiting') as state`)

export async function insertLimitRequest(
  on: Queryable,
  corp_id: string,
  request: Omit<LimitRequest, 'at' | 'state'>,
  now: Date,
): Promise<void> {
  await on.query(sql`
    insert into limit_requests (corp_id, request_id, kind, before, wanted, requested_by, acting_for, at)
    values (${corp_id}, ${request.request_id}, ${request.kind}, ${JSON.stringify(request.before)}::jsonb,
            ${JSON.stringify(request.wanted)}::jsonb, ${request.requested_by}, ${request.acting_for}, ${now})
    returning request_id, kind, before, wanted, requested_by`)
}

export async function findLimitRequest(
  on: Queryable,
  corp_id: string,
  request_id: string,
): Promise<LimitRequest | undefined> {
  const [row] = await on.query<LimitRequest>(sql`
    select ${columns} from limit_requests r
      left join limit_decisions d on d.corp_id = ${corp_id} and d.request_id = r.request_id
     where r.corp_id = ${corp_id} and r.request_id = ${request_id}`)
  return row
}

/** The oldest first. */
export async function findWaitingLimitRequests(
  on: Queryable,
  corp_id: string,
  /** `exceptBy`: excludes requests of this person. */
  { kind, exceptBy, limit }: { kind?: LimitKind; exceptBy?: string; limit: number },
): Promise<{ total: number; list: LimitRequest[] }> {
  const waiting = sql`
      from limit_requests r
      left join limit_decisions d on d.corp_id = ${corp_id} and d.request_id = r.request_id
     where r.corp_id = ${corp_id} and d.request_id is null
       ${kind === undefined ? raw('') : sql`and r.kind = ${kind}`}
       ${exceptBy === undefined ? raw('') : sql`and r.requested_by <> ${exceptBy}`}`
  const { counts, list } = await on.pipeline<{ counts: { total: number }; list: LimitRequest }>({
    counts: sql`select count(*) as total ${waiting}`,
    list: sql`select ${columns} ${waiting} order by r.at, r.request_id limit ${limit}`,
  })
  return { total: firstRow(counts).total, list }
}

/** The waiting request of the same person for the same change: a repeated call makes no second one. */
export async function findSameLimitRequest(
  on: Queryable,
  corp_id: string,
  { kind, before, wanted, requested_by }: Pick<LimitRequest, 'kind' | 'before' | 'wanted' | 'requested_by'>,
): Promise<LimitRequest | undefined> {
  const [row] = await on.query<LimitRequest>(sql`
    select ${columns} from limit_requests r
      left join limit_decisions d on d.corp_id = ${corp_id} and d.request_id = r.request_id
     where r.corp_id = ${corp_id} and r.kind = ${kind} and r.requested_by = ${requested_by}
       and r.before = ${JSON.stringify(before)}::jsonb and r.wanted = ${JSON.stringify(wanted)}::jsonb
       and d.request_id is null
     order by r.at limit 1`)
  return row
}

/** False if it was decided before. */
export async function insertLimitDecision(
  on: Queryable,
  corp_id: string,
  decision: { request_id: string; outcome: 'approved' | 'declined'; decided_by: string },
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    insert into limit_decisions (corp_id, request_id, outcome, decided_by, at)
    values (${corp_id}, ${decision.request_id}, ${decision.outcome}, ${decision.decided_by}, ${now})
    on conflict (corp_id, request_id) do nothing
    returning request_id, outcome, decided_by`)
  return rows.length === 1
}
