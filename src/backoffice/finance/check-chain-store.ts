import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import {
  type ChainEnd,
  chainEndOf,
  contentHash,
  type Link,
  recordedFact,
  textDigest,
} from '../../orders/ledger/chain/chain-store.ts'
import { type FactTable, factTables } from '../../orders/ledger/chain/fact-tables.ts'
import { among, type Check } from './check-store.ts'

/** A link, with the content hash of its version today. */
export interface FoundLink extends Pick<Link, 'seq' | 'order_id' | 'version' | 'content_hash' | 'hash'> {
  /** Null where there is no such version. */
  content_now: string | null
  is_at_right: boolean
}

export async function linksAfter(
  tx: Queryable,
  corp_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<FoundLink[]> {
  return tx.query<FoundLink>(sql`
    select l.seq, l.order_id, l.version, l.content_hash, l.hash, ${contentHash('v')} as content_now,
           v.at is not distinct from l.at as is_at_right
      from (select seq, order_id, version, at, content_hash, hash
              from ledger_chain where corp_id = ${corp_id} and seq > ${after}::bigint order by seq limit ${limit}) l
      left join order_versions v on v.corp_id = ${corp_id} and v.order_id = l.order_id and v.version = l.version
     order by l.seq`)
}

/** The stored hashes of some links. */
export async function linkHashesOf(
  tx: Queryable,
  corp_id: string,
  seqs: number[],
): Promise<{ seq: number; hash: string }[]> {
  return tx.query(sql`
    select seq, hash from ledger_chain where corp_id = ${corp_id} and seq = any(${seqs}::bigint[])`)
}

/** The next orders, by id, that have versions after a link. */
export async function ordersLinkedAfter(
  tx: Queryable,
  corp_id: string,
  { seq, after, limit }: { seq: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(sql`
    select distinct order_id from ledger_chain
     where corp_id = ${corp_id} and seq > ${seq}::bigint and order_id > ${after}
     order by order_id limit ${limit}`)
  return rows.map(({ order_id }) => order_id)
}

/** The end of the chain as the ledger clock records it. */
export async function findChainEnd(tx: Queryable, corp_id: string): Promise<ChainEnd> {
  const [end] = await tx.query<ChainEnd>(chainEndOf(corp_id))
  return end ?? { head: '', length: 0 }
}

const checkVersionsAreLinks: Check = (corp_id, orders) => sql`
  select v.order_id, 'version ' || v.version as subject, 'chain: every version is a link' as what, 'one' as expected,
         'none' as found
    from order_versions v
    left join ledger_chain l on l.corp_id = ${corp_id} and l.order_id = v.order_id and l.version = v.version
   where v.corp_id = ${corp_id} ${among('v.order_id', orders)} and l.seq is null`

/**
 * Each fact is in the record of exactly one version, with equal values. Columns that were added to the table later are
 * not compared. Facts may be personal, so a breach shows only the names of differing columns.
 */
function checkFacts(table: string, facts: FactTable): Check {
  const { key, order, leftOut } = facts
  // The comments of a payment are those of its payer, too.
  const isPayerErased = (corp_id: string) =>
    leftOut?.includes('payer_id')
      ? sql`or exists (select from erased_users e where e.corp_id = ${corp_id} and e.user_id = t.payer_id)`
      : raw('')
  const found = raw(recordedFact('stored.fact_row', facts, 'stored.salt'))
  const each = (of: (column: string) => string, between: string) => raw(key.map(of).join(between))
  return (corp_id, orders) => sql`
    select fact.order_id, fact.subject, ${raw(`'${table}: as its version recorded it'`)} as what, fact.expected, fact.found
      from (
        select coalesce(stored.order_id, recorded.order_id) as order_id,
               ${each((column) => `coalesce(stored.key_${column}, recorded.key_${column})::text`, ` || ' ' || `)} as subject,
               case when recorded.fact is null then 'none' else 'version ' || recorded.version end as expected,
               case when recorded.fact is null then 'a row'
                    when stored.order_id is null then 'no row'
                    when recorded.times > 1 then recorded.times || ' versions'
                    else ${membersThatDiffer(found, facts)} end as found
          from (select v.order_id, v.version, fact, ${each((column) => `typed.${column} as key_${column}`, ', ')},
                       count(*) over (partition by ${each((column) => `typed.${column}`, ', ')}) as times
                  from order_versions v
                  cross join lateral jsonb_array_elements(v.record->'facts'->${raw(`'${table}'`)}) fact
                  cross join lateral jsonb_populate_record(null::${raw(table)}, fact) typed
                 where v.corp_id = ${corp_id} ${among('v.order_id', orders)}) recorded
          full join (select t as fact_row, t.${raw(order)} as order_id, o.user_copy_salt as salt,
                            (o.kept_copy_digest is not null ${isPayerErased(corp_id)}) as is_erased,
                            ${each((column) => `t.${column} as key_${column}`, ', ')}
                       from ${raw(table)} t join orders o on o.corp_id = ${corp_id} and o.order_id = t.${raw(order)}
                      where t.corp_id = ${corp_id} ${among(`t.${order}`, orders)}) stored
            on ${each((column) => `stored.key_${column} = recorded.key_${column}`, ' and ')}) fact
     where fact.found is not null`
}

/** A missing text is correct if the user of the order, or the payer of the payment, was erased. */
function membersThatDiffer(found: Statement, { text }: FactTable): Statement {
  const erased =
    text === undefined
      ? 'false'
      : `key = '${text}' and stored.is_erased and ${isForgotten(`(stored.fact_row).${text}`)}`
  return sql`
  (select 'another ' || string_agg(key, ', ')
     from jsonb_each(to_jsonb(jsonb_populate_record(stored.fact_row, recorded.fact))) member
     join jsonb_each(${found}) found using (key)
    where member.value is distinct from found.value and not (${raw(erased)}))`
}

/** Whether a text was erased. Columns that are not null hold an empty text instead. */
function isForgotten(text: string): string {
  return `coalesce(${text}, '') = ''`
}

const checkReasons: Check = (corp_id, orders) => sql`
  select v.order_id, 'version ' || v.version as subject, 'version: the reason that was recorded' as what,
         'the same' as expected, 'another' as found
    from order_versions v join orders o on o.corp_id = ${corp_id} and o.order_id = v.order_id
   where v.corp_id = ${corp_id} ${among('v.order_id', orders)}
     and v.record->>'reason' is distinct from ${raw(textDigest('o.user_copy_salt', 'v.reason'))}
     and not (${raw(isForgotten('v.reason'))}
              and (o.kept_copy_digest is not null or exists (
                select from payments p
                  join erased_users e on e.corp_id = ${corp_id} and e.user_id = p.payer_id
                 where p.corp_id = ${corp_id} and p.payment_id = v.subject_id)))`

/** Compares facts with versions, and versions with the chain. check-chain follows the links. */
export const chainChecks: Check[] = [
  checkVersionsAreLinks,
  checkReasons,
  ...Object.entries<FactTable>(factTables).map(([table, facts]) => checkFacts(table, facts)),
]
