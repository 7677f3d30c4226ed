import { ApiError } from '../../contract/errors.ts'
import { isLine } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { findOpenDeletion } from './deletion-store.ts'
import { findOrganizations } from './organization-store.ts'
import { lockSuspension, type Suspension, setSuspension } from './suspension-store.ts'

/**
 * Refuses sign-in and calls of an organization, and pauses its background work. Its data are kept. Sessions and tokens are
 * refused from then on, not ended: they work again once the organization is resumed, unless they have expired.
 */
export async function suspendOrganization(
  db: Pick<Database, 'of'>,
  corp_id: string,
  reason: string,
  now: Date,
): Promise<Suspension> {
  return change(db, corp_id, { suspended_at: now, suspension_reason: readReason(reason) }, now)
}

/** Ends a suspension. The reason goes into the audit. */
export async function resumeOrganization(
  db: Pick<Database, 'of'>,
  corp_id: string,
  reason: string,
  now: Date,
): Promise<Suspension> {
  const why = readReason(reason)
  if (await findOpenDeletion(db.of(corp_id), corp_id))
    throw new Error(
      `The deletion of ${corp_id} was requested. Cancel it first: matricula org delete ${corp_id} --cancel.`,
    )
  return change(db, corp_id, { suspended_at: null, suspension_reason: null }, now, why)
}

/** A second identical call changes nothing, and keeps the time of the first. */
async function change(
  db: Pick<Database, 'of'>,
  corp_id: string,
  wanted: Suspension,
  now: Date,
  resumedFor?: string,
): Promise<Suspension> {
  return db.of(corp_id).transaction(async (tx) => {
    const before = await lockSuspension(tx, corp_id)
    if (!before) throw new Error(`There is no organization ${corp_id}.`)
    if (before.suspension_reason === wanted.suspension_reason) return before
    // A new reason does not restart the suspension.
    const after = { ...wanted, suspended_at: wanted.suspended_at && (before.suspended_at ?? now) }
    await setSuspension(tx, corp_id, after, now)
    tx.note({
      record_type: 'organizations',
      record_id: corp_id,
      before: noted(before),
      after: { ...noted(after), ...(resumedFor !== undefined && { resumed_because: resumedFor }) },
    })
    return after
  })
}

function noted({ suspended_at, suspension_reason }: Suspension) {
  return { is_suspended: suspended_at !== null, suspension_reason }
}

/** Throws organizationSuspended. An unknown organization passes, so that strangers learn nothing. */
export async function refuseSuspended(on: Queryable, corp_id: string): Promise<void> {
  const [organization] = await findOrganizations(on, [corp_id])
  if (organization?.is_suspended) throw new ApiError('organizationSuspended')
}

/** The reason is shown in lists on terminals. */
function readReason(text: string): string {
  const reason = text.trim()
  if (reason === '') throw new Error('The reason must not be empty.')
  if (reason.length > longest.shortText)
    throw new Error(`The reason must have at most ${longest.shortText} characters.`)
  if (!isLine(reason)) throw new Error('The reason must not contain control characters.')
  return reason
}
