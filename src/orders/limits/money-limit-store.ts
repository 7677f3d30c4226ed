import type { Queryable } from '../../database/database.ts'
import { notByCopy } from '../../database/insert-rows.ts'
import { sql } from '../../database/sql.ts'

/** The actions that have limits. A retention is money that a canceled order keeps. */
export const limitKinds = ['refund', 'void', 'write_off', 'retention', 'discount'] as const
export type LimitKind = (typeof limitKinds)[number]

/** By currency, in minor units: the sum per order that needs no second approver. Empty: no limit. */
export type MoneyLimits = Record<string, number>

export async function findLimits(on: Queryable, corp_id: string, kind: LimitKind): Promise<MoneyLimits> {
  const rows = await on.query<{ currency: string; price: number }>(sql`
    select currency, price from money_limits where corp_id = ${corp_id} and kind = ${kind} order by currency`)
  return Object.fromEntries(rows.map(({ currency, price }) => [currency, price]))
}

export async function storeLimits(
  on: Queryable,
  corp_id: string,
  kind: LimitKind,
  limits: MoneyLimits,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    const before = await findLimits(tx, corp_id, kind)
    await tx.pipeline([
      sql`delete from money_limits where corp_id = ${corp_id} and kind = ${kind}`,
      sql`insert into money_limits (corp_id, kind, currency, price, mtime)
          select ${corp_id}::text, ${kind}::text, currency, price, ${now}::timestamptz
            from unnest(${Object.keys(limits)}::text[], ${Object.values(limits)}::bigint[]) as l(currency, price)
          ${notByCopy}`,
    ])
    tx.note({ record_type: 'money_limits', record_id: kind, action: 'changed', before, after: limits })
  })
}

/** Whether a sum is beyond the limit. With any limit, a currency without one has the limit 0. */
export function isBeyond(limits: MoneyLimits, currency: string, price: number): boolean {
  return Object.keys(limits).length > 0 && price > (limits[currency] ?? 0)
}
