import { PublishedHeads } from '../access/audit/published-heads.ts'
import type { CheckedFrom, CheckRange } from '../access/audit/verified-heads.ts'
import { verifyAudit } from '../access/audit/verify-audit.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import type { PostgresAddress } from '../postgres/embedded-postgres.ts'

export interface BooksCheck {
  /** Absent in backups of older versions, which checked everything. */
  extent?: 'full' | 'recent'
  /** Recent: the check that it continues; null where there was none. */
  since?: string | null
  /** The last full check. */
  full_at?: string | null
  /** Number of orders that were checked. */
  orders: number
  /** Findings of `finance check`. */
  discrepancies: number
  /** Findings of `audit verify`. */
  audit_breaches: number
}

/**
 * The findings of both checks in a restored database, compared with its published heads; null if its schema is too old
 * for them.
 */
export async function checkBooks(
  owner: PostgresAddress,
  progress: (done: number, total: number) => void,
  published = new PublishedHeads(),
  range?: CheckRange,
): Promise<BooksCheck | null> {
  const { pending } = await schemaStatus(owner)
  if (pending.length > 0) return null
  const db = openDatabase({ ...owner, max: 2 })
  try {
    const options = { published, progress, ...(range && { range }) }
    const { orders, total, chains } = await checkLedger(db, undefined, options)
    const audit = await verifyAudit(db, undefined, options)
    return {
      ...extentOf([...chains, ...audit.chains], range),
      ...{ orders, discrepancies: total, audit_breaches: audit.total },
    }
  } finally {
    await db.close()
  }
}

/** Where checks of several chains began: the earliest of each. */
function extentOf(
  chains: CheckedFrom[],
  range: CheckRange | undefined,
): Pick<BooksCheck, 'extent' | 'since' | 'full_at'> {
  const continued = chains.filter(({ is_full }) => !is_full)
  if (!range) return {}
  if (continued.length === 0) return { extent: 'full', since: null, full_at: range.now.toISOString() }
  const earliest = (times: (string | null)[]) =>
    times.reduce((one, other) => (one === null || other === null ? null : one < other ? one : other))
  return {
    extent: 'recent',
    since: earliest(continued.map(({ verified_at }) => verified_at)),
    full_at: earliest(continued.map(({ full_at }) => full_at)),
  }
}

/** The result in a few sentences. They claim nothing that was not checked. */
export function describeCheck(check: BooksCheck): string {
  const { extent, since, full_at, orders, discrepancies, audit_breaches } = check
  if (isSound(check) && extent === 'recent')
    return since
      ? `Every table can be read, and the chains end as noted. The ${orders} orders and the audit entries since ${since} ` +
          `agree. The last full check was at ${full_at}: --check full does one now.`
      : 'Every table can be read, and the chains end as noted. There is no earlier check to continue, so no order was ' +
          'checked: --check full checks everything.'
  if (isSound(check)) return `The books of ${orders} orders agree, and so does the audit.`
  return (
    `${discrepancies} discrepancies in the books and ${audit_breaches} breaches of the audit were found. ` +
    'Run matricula finance check and matricula audit verify.'
  )
}

export function isSound(check: BooksCheck | null): boolean {
  return check === null || check.discrepancies + check.audit_breaches === 0
}
