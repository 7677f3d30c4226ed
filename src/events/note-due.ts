import type { Database } from '../database/database.ts'
import { findDue, insertDueNotices } from './due-notice-store.ts'

const batchSize = 500

/**
 * Notes instalments and follow-ups whose time has come, each once. Returns their number. The notice and its audit entry
 * commit together, and the feed follows the audit: a crash leaves both or none, and of two servers one notes.
 */
export async function noteDue(db: Database, corp_id: string, now: Date): Promise<number> {
  const on = db.of(corp_id)
  let noted = 0
  for (;;) {
    const due = await findDue(on, corp_id, now, batchSize)
    if (due.length === 0) return noted
    noted += await on.transaction(async (tx) => {
      const stored = await insertDueNotices(tx, corp_id, due)
      for (const { kind, record_id, user_id, order_id } of stored)
        tx.note({
          record_type: 'due_notices',
          record_id,
          person_id: user_id,
          action: 'made',
          after: { kind, user_id, ...(order_id !== null && { order_id }) },
        })
      return stored.length
    })
    if (due.length < batchSize) return noted
  }
}
