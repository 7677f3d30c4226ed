import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestampOrEmpty } from '../../database/sql.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'
import { everyRecord } from '../../search/facet-store.ts'

/** Stages of a lead, in order. */
export const stages = ['leads', 'contacted', 'ordered', 'paid', 'enrolled'] as const
export type Stage = (typeof stages)[number]

/** Ways to group leads. */
export const groupings = ['day', 'week', 'month', 'channel', 'campaign', 'course', 'owner'] as const
export type Grouping = (typeof groupings)[number]

/** Leads that arrived within a range, as of an instant. */
export interface Cohort {
  corp_id: string
  from: Date
  until: Date
  asOf: LedgerInstant
  timeZone: string
  /** 1 shifts the keys of last year's leads by one year, so that both years have the same keys. */
  yearsAgo: 0 | 1
}

export interface FunnelGroup extends Record<Stage, number> {
  key: string
}

/**
 * Leads with the instant of each stage. A follow-up or order counts for the last lead before it; an order that names a
 * lead counts for that lead. Nothing is counted twice. An order is paid while it has money of a payment, even if the
 * payment was recorded for another order.
 */
function ledLeads({ corp_id, from, until, asOf }: Cohort): Statement {
  const since = sql`>= l.ctime`
  return sql`
    select l.lead_id, l.user_id, l.fields, l.ctime as leads_at, contacted.at as contacted_at, sold.order_id,
           sold.ordered_at, sold.paid_at, sold.enrolled_at
      from facet_entries f
      join leads l on l.corp_id = ${corp_id} and l.lead_id = f.id
     cross join lateral (
           select coalesce(min(n.ctime), 'infinity') as at from leads n
            where n.corp_id = ${corp_id} and n.user_id = l.user_id and n.ctime <= ${asOf}::timestamptz
              and (n.ctime, n.lead_id) > (l.ctime, l.lead_id)) next
     cross join lateral (
           select min(c.ctime) as at from user_follow_ups c
            where c.corp_id = ${corp_id} and c.user_id = l.user_id and c.ctime ${since} and c.ctime < next.at
              and c.ctime <= ${asOf}::timestamptz) contacted
     cross join lateral (
           select (array_agg(o.order_id order by o.ctime, o.order_id))[1] as order_id, min(o.ctime) as ordered_at,
                  min(received.at) as paid_at, min(won.at) as enrolled_at
             from orders o
            cross join lateral (
                  select min(paid.at) as at
                    from (select min(a.at) as at from payment_allocations a
                           where a.corp_id = ${corp_id} and a.order_id = o.order_id and a.at <= ${asOf}::timestamptz
                           group by a.payment_id having sum(a.price) > 0) paid) received
             left join lateral (
                  select v.at, v.to_status from order_versions v
                   where v.corp_id = ${corp_id} and v.order_id = o.order_id and v.at <= ${asOf}::timestamptz
                   order by v.version desc limit 1) won on won.to_status = 'success'
            where o.corp_id = ${corp_id} and o.user_id = l.user_id and not o.is_deleted and o.ctime <= ${asOf}::timestamptz
              and (o.leads_id = l.lead_id or (o.leads_id is null and o.ctime ${since} and o.ctime < next.at))) sold
     where f.corp_id = ${corp_id} and f.list = 'leads' and f.facet = ${everyRecord} and f.time >= ${from}
       and f.time < ${until} and l.ctime <= ${asOf}::timestamptz`
}

/** Leads with their group key. A lead with several owners has a row for each. */
function keyed(cohort: Cohort, by: Grouping): Statement {
  const { timeZone, yearsAgo } = cohort
  const day = sql`((lead.leads_at at time zone ${timeZone}::text)::date + make_interval(years => ${yearsAgo}::integer))::date`
  const keys: Record<Grouping, Statement> = {
    day: sql`to_char(${day}, 'YYYY-MM-DD')`,
    week: sql`to_char(date_trunc('week', ${day}), 'YYYY-MM-DD')`,
    month: sql`to_char(${day}, 'YYYY-MM')`,
    channel: raw(`coalesce(lead.fields->>'utm_source', '')`),
    campaign: raw(`coalesce(lead.fields->>'campaign', '')`),
    course: raw(`coalesce(lead.fields->>'course_code', '')`),
    owner: raw('owner.id'),
  }
  const owners = sql`
    cross join lateral (
      select distinct named.id
        from (select jsonb_array_elements_text(coalesce(lead.fields->'owner_ids', '[]')) as id
              union all select lead.fields->>'oid' where lead.fields ? 'oid'
              union all select ''
               where jsonb_array_length(coalesce(lead.fields->'owner_ids', '[]')) = 0 and not lead.fields ? 'oid') named) owner`
  return sql`
    select lead.lead_id, lead.user_id, lead.fields, lead.leads_at, lead.contacted_at, lead.order_id, lead.ordered_at,
           lead.paid_at, lead.enrolled_at, ${keys[by]} as key
      from (${ledLeads(cohort)}) lead ${by === 'owner' ? owners : raw('')}`
}

const counts = raw(stages.map((stage) => `count(${stage}_at)::integer as ${stage}`).join(', '))

/** Counts leads per stage: by key, and in total, where each lead counts once. */
export async function readFunnel(
  on: Queryable,
  cohort: Cohort,
  by: Grouping,
): Promise<{ total: FunnelGroup; groups: FunnelGroup[] }> {
  const groups = await on.query<FunnelGroup>(sql`
    select keyed.key, ${counts} from (${keyed(cohort, by)}) keyed group by keyed.key order by keyed.key`)
  if (by !== 'owner') return { total: summed(groups), groups }
  const [total] = await on.query<FunnelGroup>(
    sql`select '' as key, ${counts} from (${ledLeads(cohort)}) lead`,
  )
  return { total: total!, groups }
}

function summed(groups: FunnelGroup[]): FunnelGroup {
  const sums = stages.map((stage) => [stage, groups.reduce((sum, group) => sum + group[stage], 0)])
  return { key: '', ...(Object.fromEntries(sums) as Record<Stage, number>) }
}

/** A lead behind a figure. */
export interface FunnelLead {
  lead_id: string
  user_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  utm_source: string
  campaign: string
  order_id: string
  leads_at: string
  contacted_at: string
  ordered_at: string
  paid_at: string
  enrolled_at: string
}

/** The leads behind a figure: the count of all, and one page of them. Without a key, each lead counts once. */
export async function readFunnelLeads(
  on: Queryable,
  cohort: Cohort,
  figure: { by: Grouping; stage: Stage; key?: string },
  page: { limit: number; offset: number },
): Promise<{ total: number; leads: FunnelLead[] }> {
  const { corp_id, timeZone } = cohort
  const { by, stage, key } = figure
  const isOnce = key === undefined && by === 'owner'
  const counted = sql`
    from (${keyed(cohort, isOnce ? 'day' : by)}) keyed
   where keyed.${raw(`${stage}_at`)} is not null ${key === undefined ? raw('') : sql`and keyed.key = ${key}`}`
  const times = stages
    .map((each) => sql`${timestampOrEmpty(`keyed.${each}_at`, timeZone)} as ${raw(each)}_at`)
    .reduce((list, one) => sql`${list}, ${one}`)
  return on.snapshot(async (tx) => {
    const [sum] = await tx.query<{ total: number }>(sql`select count(*)::integer as total ${counted}`)
    const leads = await tx.query<FunnelLead>(sql`
      select shown.lead_id, shown.user_id, u.name, u.first_name, u.last_name, shown.utm_source, shown.campaign,
             shown.order_id, ${raw(stages.map((each) => `shown.${each}_at`).join(', '))}
        from (select keyed.lead_id, keyed.user_id, coalesce(keyed.fields->>'utm_source', '') as utm_source,
                     coalesce(keyed.fields->>'campaign', '') as campaign, coalesce(keyed.order_id, '') as order_id,
                     keyed.leads_at as came_at, ${times}
                ${counted}
               order by keyed.leads_at, keyed.lead_id limit ${page.limit} offset ${page.offset}) shown
        join users u on u.corp_id = ${corp_id} and u.user_id = shown.user_id
       order by shown.came_at, shown.lead_id`)
    return { total: sum!.total, leads }
  })
}
