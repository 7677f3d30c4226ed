import { openDatabase } from '../database/database.ts'
import type { PostgresAddress } from '../database/embedded/embedded-postgres.ts'
import { schemaStatus } from '../database/migrate.ts'
import { checkLedger } from '../finance/check-ledger.ts'

export interface BooksCheck {
  orders: number
  discrepancies: number
}

/** What `finance check` finds in a restored database; null where its schema is older than what the check knows. */
export async function checkBooks(
  owner: PostgresAddress,
  progress: (done: number, total: number) => void,
): Promise<BooksCheck | null> {
  const { pending } = await schemaStatus(owner)
  if (pending.length > 0) return null
  const db = openDatabase({ ...owner, max: 2 })
  try {
    const { orders, total } = await checkLedger(db, undefined, { progress })
    return { orders, discrepancies: total }
  } finally {
    await db.close()
  }
}
