import type { Queryable } from '../../../database/database.ts'
import { type InsertedRow, insertRows } from '../../../database/insert-rows.ts'
import { type Statement, sql } from '../../../database/sql.ts'
import { settingLineStates } from '../../../orders/ledger/line-state-store.ts'
import { closingPayments, ofMatches, openingPayments } from '../../../orders/ledger/open-payment-store.ts'

/** Whether a refund `r` has a match that is not undone. */
const isMatchedRefund = (corp_id: string): Statement => sql`
  exists (select from statement_matches m
           where m.corp_id = ${corp_id} and m.refund_id = r.refund_id
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id))`

/** Whether a refund `r` has a match, or is reversed. */
export const isTakenRefund = (corp_id: string): Statement => sql`
  (${isMatchedRefund(corp_id)}
   or exists (select from refund_reversals x where x.corp_id = ${corp_id} and x.refund_id = r.refund_id))`

/** Properties of a line or payment that matching checks. */
export interface Amount {
  id: string
  /** Gross. */
  price: number
  fee_price: number
  currency: string
  /** The amount in another currency that the ledger counts: that of the order. */
  order_price: number
  order_currency: string
  is_matched: boolean
}

export interface FoundAmounts {
  lines: Map<string, Amount>
  payments: Map<string, Amount>
  /** Refunds that are matched or reversed. */
  takenRefunds: Set<string>
}

export async function findAmounts(
  tx: Queryable,
  corp_id: string,
  lineIds: string[],
  paymentIds: string[],
  refundIds: string[] = [],
): Promise<FoundAmounts> {
  const [lines, payments, refunds] = await tx.pipeline<[Amount, Amount, { refund_id: string }]>([
    sql`
      select l.line_id as id, l.price + l.fee_price as price, l.fee_price, l.currency, l.price as order_price,
             l.currency as order_currency, s.state <> 'open' as is_matched
        from statement_lines l
        join statement_line_states s on s.corp_id = ${corp_id} and s.line_id = l.line_id
       where l.corp_id = ${corp_id} and l.line_id = any(${lineIds})`,
    sql`
      select p.payment_id as id, p.price, 0 as fee_price, p.currency, p.order_price,
             (select o.currency from orders o where o.corp_id = ${corp_id} and o.order_id = p.order_id) as order_currency,
             not p.is_open as is_matched
        from payments p where p.corp_id = ${corp_id} and p.payment_id = any(${paymentIds})`,
    sql`
      select r.refund_id from refunds r
       where r.corp_id = ${corp_id} and r.refund_id = any(${refundIds}::text[])
         and ${isTakenRefund(corp_id)}`,
  ])
  const byId = (amounts: Amount[]) => new Map(amounts.map((amount) => [amount.id, amount]))
  const takenRefunds = new Set(refunds.map(({ refund_id }) => refund_id))
  return { lines: byId(lines), payments: byId(payments), takenRefunds }
}

const matchColumns = {
  match_id: 'text',
  line_id: 'text',
  seq: 'integer',
  kind: 'text',
  payment_id: 'text',
  refund_id: 'text',
  transfer_line_id: 'text',
  price: 'bigint',
  rule: 'text',
  reason: 'text',
  executor_id: 'text',
  at: 'timestamptz',
} as const

export type MatchRow = InsertedRow<typeof matchColumns>

export async function insertMatches(tx: Queryable, corp_id: string, matches: MatchRow[]): Promise<void> {
  await insertRows(tx, 'statement_matches', matchColumns, corp_id, matches)
  const paymentIds = matches.flatMap(({ payment_id }) => payment_id ?? [])
  if (paymentIds.length > 0)
    await tx.query(closingPayments(corp_id, sql`p.payment_id = any(${paymentIds}::text[])`))
  tx.note(
    ...matches.map((after) => ({ record_type: 'statement_matches', record_id: after.match_id!, after })),
  )
}

/** Undoes the current matches of lines, opens all lines of these matches, and returns the ids of the matches. */
export async function undoMatches(
  tx: Queryable,
  corp_id: string,
  lineIds: string[],
  { executor_id, at }: { executor_id: string | null; at: string },
): Promise<string[]> {
  const undone = await tx.query<{ match_id: string }>(sql`
    insert into statement_match_undos as undone (corp_id, match_id, executor_id, at)
    select distinct m.corp_id, m.match_id, ${executor_id}::text, ${at}::timestamptz
      from statement_matches m
     where m.corp_id = ${corp_id} and m.line_id = any(${lineIds})
    on conflict (corp_id, match_id) do nothing
    returning undone.match_id`)
  const ids = undone.map(({ match_id }) => match_id)
  const matched = sql`
    s.line_id in (select m.line_id from statement_matches m
                   where m.corp_id = ${corp_id} and m.match_id = any(${ids}::text[]))`
  await tx.pipeline([
    ...settingLineStates(corp_id, matched, 'open'),
    ...openingPayments(corp_id, ofMatches(corp_id, ids)),
  ])
  tx.note(...ids.map((id) => ({ record_type: 'statement_matches', record_id: id, before: { match_id: id } })))
  return ids
}
