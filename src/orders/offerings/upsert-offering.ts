import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, faulty, taken } from '../../contract/errors.ts'
import type { Columns, NewRow } from '../../database/insert-rows.ts'
import type { Queryable } from '../../database/queryable.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { refuseStale } from '../rules/stale.ts'
import {
  insertOffering,
  type Key,
  lockOffering,
  type Offering,
  type Stored,
  updateOffering,
} from './offering-store.ts'

export interface Wanted<C extends Columns> {
  /** The columns that identify it. */
  key: Key
  /** The id of a new one; undefined if it must exist. */
  newId: string | undefined
  version: number | undefined
  /** The new values, given the present ones. */
  edit(current: NewRow<C> | undefined): NewRow<C>
  /** Refuses new values of an offering that is in use. */
  judge?(tx: Queryable, fields: NewRow<C>): Promise<void>
  /** The parameter that must be unique in the organization, and its index. */
  unique?: { param: string; index: string }
}

export interface Upserted {
  id: string
  version: number
  is_created: boolean
}

/**
 * Creates an offering, or changes the one with the key. The version increases only if something changes. If a concurrent
 * call creates it first, this call changes that one.
 */
export async function upsertOffering<C extends Columns>(
  { db, now, organization: { corp_id } }: OrganizationContext,
  offering: Offering<C>,
  wanted: Wanted<C>,
): Promise<Upserted> {
  return db.transaction(async (tx) => {
    let current = await lockOffering(tx, offering, corp_id, wanted.key)
    if (!current) {
      if (wanted.newId === undefined || wanted.version !== undefined)
        throw new ApiError(`${offering.noun}NotFound`)
      const row = { id: wanted.newId, fields: wanted.edit(undefined), now }
      if (await insertOffering(tx, offering, corp_id, row)) {
        tx.note({ record_type: offering.table, record_id: row.id, after: row.fields })
        return { id: row.id, version: 1, is_created: true }
      }
      current = (await lockOffering(tx, offering, corp_id, wanted.key))!
    }
    refuseStale(current.version, wanted.version, offering.noun)
    const fields = wanted.edit(current.fields)
    if (isSame(offering, current, fields))
      return { id: current.id, version: current.version, is_created: false }
    await wanted.judge?.(tx, fields)
    await updateOffering(tx, offering, corp_id, { id: current.id, fields, now }).catch((error: unknown) => {
      if (!wanted.unique || !isUniqueViolation(error, wanted.unique.index)) throw error
      throw taken(wanted.unique.param, `belongs to another ${offering.noun}`)
    })
    tx.note({ record_type: offering.table, record_id: current.id, before: current.fields, after: fields })
    return { id: current.id, version: current.version + 1, is_created: false }
  })
}

function isSame<C extends Columns>({ columns }: Offering<C>, current: Stored<C>, fields: NewRow<C>): boolean {
  const text = (row: NewRow<C>) => JSON.stringify(Object.keys(columns).map((name) => row[name]))
  return text(current.fields) === text(fields)
}

/** Refuses a new offering without a required member. */
export function refuseIncomplete(noun: Offering<Columns>['noun'], needed: Record<string, unknown>): void {
  const missing = Object.entries(needed).filter(([, value]) => value === undefined || value === null)
  if (missing.length === 0) return
  throw faulty(
    missing.map(([param]) => ({
      param,
      reason: `is required for a new ${noun}`,
      missing: true as const,
    })),
  )
}
