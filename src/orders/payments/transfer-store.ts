import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Piece } from '../rules/allocation.ts'

/** A transfer with the money of each payment that it moved. */
export interface StoredTransfer {
  from_order_id: string
  to_order_id: string
  price: number
  reverses_id: string | null
  is_reversed: boolean
  pieces: Piece[]
}

export async function findTransfer(
  on: Queryable,
  corp_id: string,
  transfer_id: string,
): Promise<StoredTransfer | undefined> {
  const [transfer] = await on.query<StoredTransfer>(sql`
    select t.from_order_id, t.to_order_id, t.price, t.reverses_id,
           exists (select from order_transfers r where r.corp_id = ${corp_id} and r.reverses_id = t.transfer_id) as is_reversed,
           coalesce((select json_agg(json_build_object('payment_id', moved.payment_id, 'price', moved.price))
                       from (select a.payment_id, -sum(a.price) as price from payment_allocations a
                              where a.corp_id = ${corp_id} and a.order_id = t.from_order_id and a.at = t.at
                              group by a.payment_id having sum(a.price) <> 0) moved), '[]') as pieces
      from order_transfers t where t.corp_id = ${corp_id} and t.transfer_id = ${transfer_id}`)
  return transfer
}
