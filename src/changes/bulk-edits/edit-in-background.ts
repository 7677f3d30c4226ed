import type { OrganizationContext } from '../../contract/endpoint.ts'
import type { Queryable } from '../../database/database.ts'
import { userFacet } from '../../people/users/user-facets.ts'
import { queryOf, type UserFilter } from '../../people/users/user-filter.ts'
import { idOfPage } from '../../people/users/user-store.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { type ChangeBatch, insertBatch, lockBatch, updateBatch } from '../undo/change-batch-store.ts'
import { endEdit, findEdit, findIdleEdits, insertingPart, storeEdit, takePart } from './bulk-edit-store.ts'
import { applyToBatch, type BulkEdit, planEdit } from './edit-users.ts'

/** The filter of a bulk edit, without paging. */
export type EditFilter = Omit<UserFilter, 'corp_id' | 'page' | 'page_size' | 'sort'>

/** Users per transaction of an edit in the background. */
const usersPerPart = 500
/** Users per statement that collects the users of an edit. */
const usersPerPage = 10_000

/** The first users that match a filter, and the number of all. A counsellor edits own users only. */
export async function findMatching(
  context: OrganizationContext,
  filter: EditFilter,
  most: number,
): Promise<{ total: number; userIds: string[] }> {
  const query = await editQuery(context, filter, most)
  const { total, rows } = await readFacetPage<{ user_id: string }>(context.db, query, undefined, idOfPage)
  return { total, userIds: rows.map(({ user_id }) => user_id) }
}

async function editQuery(context: OrganizationContext, filter: EditFilter, page_size: number) {
  const { reach, organization } = context
  const facets = reach === 'everyone' ? [] : [userFacet.owner(reach.owner_id)]
  const input = { ...filter, corp_id: organization.corp_id, page: 0, page_size }
  return queryOf(context, input, { facets, ranges: [] })
}

/** Stores an edit of all users that match a filter now. `finishEdit` makes the changes. Returns the batch. */
export async function startEdit(
  context: OrganizationContext,
  edit: BulkEdit,
  filter: EditFilter,
): Promise<string> {
  const { organization, account, newId, reach } = context
  const { corp_id } = organization
  const batch_id = newId()
  const now = new Date()
  await context.db.transaction(async (tx) => {
    await insertBatch(tx, corp_id, { batch_id, kind: 'bulk_update', executor_id: account.app_id }, now)
    const users = await storeParts({ ...context, db: tx }, filter, batch_id)
    await storeEdit(tx, { corp_id, batch_id }, { edit, reach }, users)
  })
  return batch_id
}

async function storeParts(
  context: OrganizationContext,
  filter: EditFilter,
  batch_id: string,
): Promise<number> {
  const { db: tx, organization } = context
  const { corp_id } = organization
  const query = await editQuery(context, filter, usersPerPage)
  let users = 0
  let number = 0
  for (let page = 0, after: Parameters<typeof readFacetPage>[2]; ; page++) {
    const { rows, end } = await readFacetPage<{ user_id: string }>(tx, { ...query, page }, after, idOfPage)
    const ids = rows.map(({ user_id }) => user_id)
    for (let start = 0; start < ids.length; start += usersPerPart) {
      const part = { number: number++, user_ids: ids.slice(start, start + usersPerPart) }
      await tx.pipeline(insertingPart({ corp_id, batch_id }, part))
    }
    users += ids.length
    if (!end || ids.length < usersPerPage) return users
    after = end
  }
}

/** Makes the changes of an edit, part by part. A stopped server leaves complete parts. Maintenance continues with the others. */
export async function finishEdit(context: OrganizationContext, batch_id: string): Promise<void> {
  const editPart = (tx: Queryable) => editNext({ ...context, now: new Date(), db: tx }, batch_id)
  while (!(await context.db.transaction(editPart)));
}

/** Changes the next users; true once the edit is complete. The undo of an edit ends it. */
async function editNext(context: OrganizationContext, batch_id: string): Promise<boolean> {
  const { db: tx, organization, now } = context
  const key = { corp_id: organization.corp_id, batch_id }
  const batch = await lockBatch(tx, key.corp_id, batch_id)
  if (batch.is_complete) return true
  const stored = await findEdit(tx, key)
  const part = batch.undone_by_batch_id === null ? await takePart(tx, key) : undefined
  if (!stored || !part) {
    await endEdit(tx, key, now)
    return true
  }
  const { edit, reach } = stored
  const planned = await planEdit({ ...context, reach }, edit, part.user_ids, { leavesOutRefused: true })
  await applyToBatch(context, batch, planned.transitions)
  const remaining = Math.max(0, (batch.remaining ?? 0) - part.user_ids.length)
  await updateBatch(tx, key.corp_id, { ...batch, remaining, counts: countedWith(batch, planned) }, now)
  return false
}

function countedWith(
  { counts }: ChangeBatch,
  { list, missing_ids, refused }: Awaited<ReturnType<typeof planEdit>>,
): Record<string, number> {
  const changed = list.filter(({ outcome }) => outcome === 'changed').length
  const sum = (name: string, more: number) => (counts[name] ?? 0) + more
  return {
    changed: sum('changed', changed),
    unchanged: sum('unchanged', list.length - changed),
    missing: sum('missing', missing_ids.length),
    refused: sum('refused', refused),
  }
}

/** Resumes edits that a stopped server has left incomplete. */
export async function resumeEdits(context: OrganizationContext, idleSince: Date): Promise<void> {
  for (const { batch_id, executor_id } of await findIdleEdits(
    context.db,
    context.organization.corp_id,
    idleSince,
  ))
    await finishEdit({ ...context, account: { ...context.account, app_id: executor_id } }, batch_id)
}
