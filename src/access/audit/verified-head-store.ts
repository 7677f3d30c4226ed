import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { SealedSecret } from '../organizations/secret-store.ts'

/** The two hash chains of an organization. */
export type ChainName = 'audit' | 'ledger'

export async function findNote(
  on: Queryable,
  corp_id: string,
  chain: ChainName,
): Promise<SealedSecret | undefined> {
  const [note] = await on.query<SealedSecret>(sql`
    select secret_box, secret_key_id from verified_heads where corp_id = ${corp_id} and chain = ${chain}`)
  return note
}

export async function storeNote(
  on: Queryable,
  corp_id: string,
  chain: ChainName,
  { secret_box, secret_key_id }: SealedSecret,
): Promise<void> {
  await on.query(sql`
    insert into verified_heads (corp_id, chain, secret_box, secret_key_id)
    values (${corp_id}, ${chain}, ${secret_box}, ${secret_key_id})
    on conflict (corp_id, chain) do update
       set secret_box = excluded.secret_box, secret_key_id = excluded.secret_key_id`)
}
