import { PublishedHeads } from '../../access/audit/published-heads.ts'
import {
  type CheckedFrom,
  type CheckRange,
  checkedFrom,
  keepVerified,
  type RangeStart,
  startOfRange,
} from '../../access/audit/verified-heads.ts'
import { knownOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { findOutdated } from '../../derived/derived-data.ts'
import type { ChainEnd } from '../../orders/ledger/chain/chain-store.ts'
import { countOrders, findModelVersion } from '../../orders/listing/read-model-store.ts'
import { type ChainProgress, findBrokenLinks } from './check-chain.ts'
import { chainChecks, findChainEnd, ordersLinkedAfter } from './check-chain-store.ts'
import { findBrokenClosings } from './check-closings.ts'
import { couponChecks } from './check-coupons-store.ts'
import { documentChecks } from './check-documents-store.ts'
import { clockChecks, historyChecks } from './check-history-store.ts'
import { findStaleRows, findStaleRowsOf } from './check-read-model.ts'
import { countChecks, readModelChecks } from './check-read-model-store.ts'
import { statementChecks } from './check-statement-store.ts'
import { type Breach, type Check, findBreaches, ledgerChecks, receiptChecks } from './check-store.ts'
import { payerChecks } from './payers/check-payers-store.ts'

export interface Discrepancy extends Omit<Breach, 'total'> {
  corp_id: string
}

export interface LedgerReport {
  organizations: number
  /** Number of orders that were checked. */
  orders: number
  /** Number of discrepancies. `discrepancies` holds the first of them. */
  total: number
  discrepancies: Discrepancy[]
  /** The end of the chain of each organization. Store it elsewhere, and compare it with a later check. */
  chains: (ChainEnd & CheckedFrom & { corp_id: string })[]
}

/** Largest number of discrepancies in a report. */
const mostShown = 100

/** Orders that are checked together, if not all are. */
const batchSize = 1000

interface CheckOptions {
  /** An earlier head of the chain of one organization. */
  head?: string | undefined
  /** Heads that were published outside the database. */
  published?: PublishedHeads
  progress?: ChainProgress
  /** Undefined: everything, and nothing is noted. */
  range?: CheckRange
}

/** Each order is checked by itself, with its sub-orders, payments, refunds, versions and rows. */
const orderChecks: Check[] = [...ledgerChecks, ...historyChecks, ...chainChecks, ...readModelChecks]

/** Checks of sums and numbers over all records. */
const wholeChecks: Check[] = [
  ...[...receiptChecks, ...clockChecks, ...countChecks],
  ...[...statementChecks, ...payerChecks, ...documentChecks, ...couponChecks],
]

/**
 * Checks that orders, sub-orders, coupons, payments, refunds, versions, the hash chain, the read model and closings agree,
 * for one organization or for all. It derives every value again and compares it with the stored one, in one snapshot per
 * organization. From a verified head on, it checks the orders that have changed since.
 */
export async function checkLedger(
  db: Database,
  corpId?: string,
  { head: noted, published = new PublishedHeads(), progress = () => {}, range }: CheckOptions = {},
): Promise<LedgerReport> {
  const organizations = await knownOrganizations(db.shared, corpId)
  const report: LedgerReport = {
    ...{ organizations: organizations.length, orders: 0, total: 0, discrepancies: [], chains: [] },
  }
  for (const { corp_id } of organizations) {
    const before = report.total
    const { end, from } = await db.of(corp_id).snapshot(async (tx) => {
      const end = await findChainEnd(tx, corp_id)
      const from = await startOfRange(tx, corp_id, 'ledger', range, { end })
      report.chains.push({ corp_id, ...end, ...checkedFrom(from, range) })
      const expected = published.linksOf('ledger', corp_id, from.noted)
      const links = findBrokenLinks(tx, corp_id, { end, start: from.start, noted, expected }, progress)
      const note = ({ total, ...breach }: Breach) => {
        report.total += total
        if (report.discrepancies.length < mostShown) report.discrepancies.push({ corp_id, ...breach })
      }
      report.orders += await checkRecords(tx, corp_id, from, note)
      await noteAll(links, note)
      return { end, from }
    })
    if (report.total === before) await keepVerified(range, corp_id, 'ledger', from, end)
  }
  return report
}

type Note = (breach: Breach) => void

/** Returns the number of orders that were checked. */
async function checkRecords(
  tx: Queryable,
  corp_id: string,
  { start, isFull }: RangeStart,
  note: Note,
): Promise<number> {
  const { time_zone } = await findModelVersion(tx, corp_id)
  if (!isFull) {
    let orders = 0
    const read = (after: string) =>
      ordersLinkedAfter(tx, corp_id, { seq: start.length, after, limit: batchSize })
    for await (const ids of pages('', read, (id) => id)) {
      await runChecks(tx, corp_id, orderChecks, note, ids)
      await noteAll(findStaleRowsOf(tx, { corp_id, time_zone }, ids), note)
      orders += ids.length
    }
    return orders
  }
  await runChecks(tx, corp_id, [...orderChecks, ...wholeChecks], note)
  for (const { name, fingerprint, stored } of await findOutdated(tx, corp_id)) {
    if (stored === undefined) continue
    const what = `derived data ${name}: fingerprint of the running version`
    note({ order_id: null, subject: null, what, expected: fingerprint, found: stored, total: 1 })
  }
  await noteAll(findStaleRows(tx, { corp_id, time_zone }), note)
  await noteAll(findBrokenClosings(tx, corp_id), note)
  return countOrders(tx, corp_id)
}

async function runChecks(
  tx: Queryable,
  corp_id: string,
  checks: Check[],
  note: Note,
  orders?: string[],
): Promise<void> {
  for (const check of checks) {
    const breaches = await findBreaches(tx, check(corp_id, orders), mostShown)
    for (const [index, breach] of breaches.entries())
      note({ ...breach, total: index === 0 ? breach.total : 0 })
  }
}

async function noteAll(breaches: AsyncIterable<Omit<Breach, 'total'>>, note: Note): Promise<void> {
  for await (const breach of breaches) note({ ...breach, total: 1 })
}
