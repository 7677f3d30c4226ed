import { PublishedHeads } from '../../access/audit/published-heads.ts'
import { knownOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database } from '../../database/database.ts'
import { findOutdated } from '../../derived/derived-data.ts'
import type { ChainEnd } from '../../orders/ledger/chain/chain-store.ts'
import { countOrders, findModelVersion } from '../../orders/listing/read-model-store.ts'
import { type ChainProgress, findBrokenLinks } from './check-chain.ts'
import { chainChecks, findChainEnd } from './check-chain-store.ts'
import { findBrokenClosings } from './check-closings.ts'
import { couponChecks } from './check-coupons-store.ts'
import { documentChecks } from './check-documents-store.ts'
import { historyChecks } from './check-history-store.ts'
import { findStaleRows } from './check-read-model.ts'
import { readModelChecks } from './check-read-model-store.ts'
import { statementChecks } from './check-statement-store.ts'
import { type Breach, findBreaches, ledgerChecks } from './check-store.ts'
import { payerChecks } from './payers/check-payers-store.ts'

export interface Discrepancy extends Omit<Breach, 'total'> {
  corp_id: string
}

export interface LedgerReport {
  organizations: number
  orders: number
  /** Number of discrepancies. `discrepancies` holds the first of them. */
  total: number
  discrepancies: Discrepancy[]
  /** The end of the chain of each organization. Store it elsewhere, and compare it with a later check. */
  chains: (ChainEnd & { corp_id: string })[]
}

/** Largest number of discrepancies in a report. */
const mostShown = 100

interface CheckOptions {
  /** An earlier head of the chain of one organization. */
  head?: string
  /** Heads that were published outside the database. */
  published?: PublishedHeads
  progress?: ChainProgress
}

/**
 * Checks that orders, sub-orders, coupons, payments, refunds, versions, the hash chain, the read model and closings agree,
 * for one organization or for all. It derives every value again and compares it with the stored one, in one snapshot per
 * organization.
 */
export async function checkLedger(
  db: Database,
  corpId?: string,
  { head: noted, published = new PublishedHeads(), progress = () => {} }: CheckOptions = {},
): Promise<LedgerReport> {
  const organizations = await knownOrganizations(db.shared, corpId)
  const report: LedgerReport = {
    ...{ organizations: organizations.length, orders: 0, total: 0, discrepancies: [], chains: [] },
  }
  const note = (discrepancy: Discrepancy) => {
    if (report.discrepancies.length < mostShown) report.discrepancies.push(discrepancy)
  }
  for (const { corp_id } of organizations) {
    await db.of(corp_id).snapshot(async (tx) => {
      report.orders += await countOrders(tx, corp_id)
      for (const check of [
        ...ledgerChecks,
        ...historyChecks,
        ...chainChecks,
        ...readModelChecks,
        ...statementChecks,
        ...payerChecks,
        ...documentChecks,
        ...couponChecks,
      ]) {
        const breaches = await findBreaches(tx, check(corp_id), mostShown)
        report.total += breaches[0]?.total ?? 0
        for (const { total: _, ...breach } of breaches) note({ corp_id, ...breach })
      }
      for (const { name, fingerprint, stored } of await findOutdated(tx, corp_id)) {
        if (stored === undefined) continue
        report.total++
        const what = `derived data ${name}: fingerprint of the running version`
        note({ corp_id, order_id: null, subject: null, what, expected: fingerprint, found: stored })
      }
      report.chains.push({ corp_id, ...(await findChainEnd(tx, corp_id)) })
      const { time_zone } = await findModelVersion(tx, corp_id)
      for (const breaches of [
        findBrokenLinks(tx, corp_id, { noted, expected: published.linksOf('ledger', corp_id) }, progress),
        findStaleRows(tx, { corp_id, time_zone }),
        findBrokenClosings(tx, corp_id),
      ])
        for await (const breach of breaches) {
          report.total++
          note({ corp_id, ...breach })
        }
    })
  }
  return report
}
