import type { Queryable } from '../../../database/database.ts'
import { notByCopy } from '../../../database/insert-rows.ts'
import { sql } from '../../../database/sql.ts'

/** By currency, in minor units: what may go back of an order without a second person. Empty: everything. */
export type RefundLimits = Record<string, number>

export async function findRefundLimits(on: Queryable, corp_id: string): Promise<RefundLimits> {
  const rows = await on.query<{ currency: string; price: number }>(sql`
    select currency, price from refund_limits where corp_id = ${corp_id} order by currency`)
  return Object.fromEntries(rows.map(({ currency, price }) => [currency, price]))
}

export async function storeRefundLimits(
  on: Queryable,
  corp_id: string,
  limits: RefundLimits,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    const before = await findRefundLimits(tx, corp_id)
    await tx.pipeline([
      sql`delete from refund_limits where corp_id = ${corp_id}`,
      sql`insert into refund_limits (corp_id, currency, price, mtime)
          select ${corp_id}::text, currency, price, ${now}::timestamptz
            from unnest(${Object.keys(limits)}::text[], ${Object.values(limits)}::bigint[]) as l(currency, price)
          ${notByCopy}`,
    ])
    tx.note({ record_type: 'refund_limits', record_id: corp_id, action: 'changed', before, after: limits })
  })
}
