import { PublishedHeads } from '../access/audit/published-heads.ts'
import { verifyAudit } from '../access/audit/verify-audit.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import type { PostgresAddress } from '../postgres/embedded-postgres.ts'

export interface BooksCheck {
  orders: number
  /** Findings of `finance check`. */
  discrepancies: number
  /** Findings of `audit verify`. */
  audit_breaches: number
}

/**
 * What both checks find in a restored database, against the heads that were published of it; null where its schema is
 * older than what they know.
 */
export async function checkBooks(
  owner: PostgresAddress,
  progress: (done: number, total: number) => void,
  published = new PublishedHeads(),
): Promise<BooksCheck | null> {
  const { pending } = await schemaStatus(owner)
  if (pending.length > 0) return null
  const db = openDatabase({ ...owner, max: 2 })
  try {
    const { orders, total } = await checkLedger(db, undefined, { published, progress })
    const audit = await verifyAudit(db, undefined, undefined, published)
    return { orders, discrepancies: total, audit_breaches: audit.total }
  } finally {
    await db.close()
  }
}

/** The result as one sentence. */
export function describeCheck({ orders, discrepancies, audit_breaches }: BooksCheck): string {
  if (isSound({ orders, discrepancies, audit_breaches }))
    return `The books of ${orders} orders agree, and so does the audit.`
  return (
    `${discrepancies} discrepancies in the books and ${audit_breaches} breaches of the audit were found. ` +
    'Run matricula finance check and matricula audit verify.'
  )
}

export function isSound(check: BooksCheck | null): boolean {
  return check === null || check.discrepancies + check.audit_breaches === 0
}
