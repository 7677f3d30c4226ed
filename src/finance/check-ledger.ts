import type { Database } from '../database/database.ts'
import { countOrders, findModelVersion } from '../orders/read-model/read-model-store.ts'
import { findOrganizations, listOrganizations } from '../organizations/organization-store.ts'
import { historyChecks } from './check-history-store.ts'
import { findStaleRows } from './check-read-model.ts'
import { readModelChecks } from './check-read-model-store.ts'
import { type Breach, findBreaches, ledgerChecks } from './check-store.ts'

export interface Discrepancy extends Omit<Breach, 'total'> {
  corp_id: string
}

export interface LedgerReport {
  organizations: number
  orders: number
  /** How many there are in all; the first of them follow. */
  total: number
  discrepancies: Discrepancy[]
}

/** So many are shown; whoever has more mends these first. */
const mostShown = 100

/**
 * Proves that orders, their sub-orders, payments, refunds, versions and the read model agree, for one organization or for
 * all: whatever follows from the rest is made again and held against what is stored, each organization at one moment.
 */
export async function checkLedger(db: Database, corpId?: string): Promise<LedgerReport> {
  const organizations = await (corpId === undefined
    ? listOrganizations(db.shared)
    : findOrganizations(db.shared, [corpId]))
  if (corpId !== undefined && organizations.length === 0)
    throw new Error(`There is no organization ${corpId}.`)
  const report: LedgerReport = { organizations: organizations.length, orders: 0, total: 0, discrepancies: [] }
  const note = (discrepancy: Discrepancy) => {
    if (report.discrepancies.length < mostShown) report.discrepancies.push(discrepancy)
  }
  for (const { corp_id } of organizations) {
    await db.of(corp_id).snapshot(async (tx) => {
      report.orders += await countOrders(tx, corp_id)
      for (const check of [...ledgerChecks, ...historyChecks, ...readModelChecks]) {
        const breaches = await findBreaches(tx, check(corp_id), mostShown)
        report.total += breaches[0]?.total ?? 0
        for (const { total: _, ...breach } of breaches) note({ corp_id, ...breach })
      }
      const { time_zone } = await findModelVersion(tx, corp_id)
      for await (const breach of findStaleRows(tx, { corp_id, time_zone })) {
        report.total++
        note({ corp_id, ...breach })
      }
    })
  }
  return report
}
