import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { moveOrders } from '../../orders/move-orders.ts'
import { findTagsOf } from '../../people/user-tags/user-tag-store.ts'
import { type Belongings, findBelongings, findSurvivors } from '../../people/users/merged-user-store.ts'
import { requireReachToAll } from '../../people/users/reach.ts'
import { insertingEvents, takeEvents } from '../../people/users/user-event-store.ts'
import { isErased } from '../erasure/erase-store.ts'
import { applyTransitions, lockRecords, recordIn } from '../undo/apply-transitions.ts'
import { completeBatch, insertBatch, noteChanges, type OrderChange } from '../undo/change-batch-store.ts'
import {
  type Image,
  type ImageType,
  nextStamp,
  type Transition,
  type TransitionOf,
} from '../undo/record-images.ts'
import { historyOfMerge } from './merged-history.ts'
import { survivorAfter } from './survivor-after.ts'

/**
 * Merges a user into another one, as a batch that can be undone. The id of a user that was merged before means its
 * survivor. Returns the id of the batch and of the survivor.
 */
export async function mergeInto(
  context: OrganizationContext,
  named: UserPair,
): Promise<{ merge_id: string; user_id: string }> {
  const { organization, account, now, newId } = context
  const { corp_id } = organization
  const executor_id = account.app_id
  return context.db.transaction(async (tx) => {
    const { survivor, merged } = await lockBoth(tx, corp_id, named)
    const [{ user_id }, { user_id: merged_user_id }] = [survivor, merged]
    requireReachToAll(context.reach, [survivor, merged])
    for (const id of [user_id, merged_user_id]) await requireNotErased(tx, corp_id, id)
    const merge_id = newId()
    await insertBatch(tx, corp_id, { batch_id: merge_id, kind: 'user_merge', executor_id }, now)
    const owned = await findBelongings(tx, corp_id, merged_user_id)
    const moves = owned.orders.map((order_id) => ({ order_id, user_id }))
    const reason = `Merge of user ${merged_user_id}`
    await moveOrders({ db: tx, corp_id, executor_id }, moves, { change: 'merged', reason })
    const history = await takeEvents(tx, corp_id, [merged_user_id])
    const { records, claim } = await followersOf(tx, corp_id, user_id, merged_user_id, owned, now)
    const content = survivorAfter(organization, survivor, merged, claim.before !== claim.after)
    const after = { ...content, ...nextStamp(survivor, now, history.length + 1) }
    const changes = await applyTransitions(tx, corp_id, [
      { type: 'users', id: user_id, before: survivor, after, copiesAnotherPerson: true },
      {
        type: 'users',
        id: merged_user_id,
        before: history.length > 0 ? { ...merged, history } : merged,
        after: undefined,
      },
      ...records,
      {
        type: 'merged_users',
        id: merged_user_id,
        before: undefined,
        after: aliasOf(merged, user_id, merge_id),
      },
    ])
    const cause = { merge_id, merged_user_id, executor_id, at: now }
    const events = historyOfMerge({ id: user_id, before: survivor, after }, history, cause)
    const orders = owned.orders.map(
      (record_id): OrderChange => ({
        record_type: 'orders',
        record_id,
        before: { user_id: merged_user_id },
        after: { user_id },
      }),
    )
    const notes = noteChanges(corp_id, { batch_id: merge_id, records: 0 }, [...orders, ...changes], now)
    await tx.pipeline([...insertingEvents(corp_id, events), ...notes])
    await completeBatch(tx, corp_id, merge_id, now)
    return { merge_id, user_id }
  })
}

/** The users of a merge, by id. */
export interface UserPair {
  user_id: string
  merged_user_id: string
}

/** Locks both users. Another merge may hold one of them: after it, the survivor of that merge takes the user's place. */
async function lockBoth(
  tx: Queryable,
  corp_id: string,
  named: UserPair,
): Promise<{ survivor: Image<'users'>; merged: Image<'users'> }> {
  for (let pair = named; ; ) {
    pair = survivingPair(pair, await findSurvivors(tx, corp_id, Object.values(pair)))
    const { user_id, merged_user_id } = pair
    const found = await lockRecords(tx, corp_id, { users: [user_id, merged_user_id] })
    const survivor = recordIn(found, 'users', user_id).before
    const merged = recordIn(found, 'users', merged_user_id).before
    if (survivor && merged) return { survivor, merged }
    const missing = [...(survivor ? [] : [user_id]), ...(merged ? [] : [merged_user_id])]
    if ((await findSurvivors(tx, corp_id, missing)).size < missing.length) throw new ApiError('userNotFound')
  }
}

export function survivingPair(
  { user_id, merged_user_id }: UserPair,
  survivors: Map<string, string>,
): UserPair {
  const pair = {
    user_id: survivors.get(user_id) ?? user_id,
    merged_user_id: survivors.get(merged_user_id) ?? merged_user_id,
  }
  if (pair.user_id === pair.merged_user_id)
    throw invalid('merged_user_id', 'is the same user as user_id already')
  return pair
}

/** Orders of an erased user name nobody. A person who is merged into an erased user could no longer be erased. */
async function requireNotErased(tx: Queryable, corp_id: string, user_id: string): Promise<void> {
  if (!(await isErased(tx, corp_id, user_id))) return
  const msg = `User ${user_id} was erased and cannot be merged. Use the present user of this person.`
  throw new ApiError('stateForbids', { msg, allowed: [] })
}

/** The names, the contacts and the id under which the merged user is found from now on. */
function aliasOf(merged: Image<'users'>, user_id: string, merge_id: string): Image<'merged_users'> {
  const { user_id: merged_user_id, name, first_name, last_name, area_code, mobile, email } = merged
  const { backup_area_code, backup_mobile, wechat_id, external_id } = merged
  const names = { name, first_name, last_name }
  const contacts = { area_code, mobile, backup_area_code, backup_mobile, email, wechat_id, external_id }
  return { merged_user_id, user_id, merge_id, ...names, ...contacts }
}

/**
 * Moves the records of the merged user to the survivor. If both have a tag of one group, or both have a claim, that of
 * the survivor stays.
 */
async function followersOf(
  tx: Queryable,
  corp_id: string,
  user_id: string,
  merged_user_id: string,
  { leads, user_tags, user_follow_ups, merged_users, payers }: Belongings,
  now: Date,
): Promise<{ records: Transition[]; claim: Transition<'user_claims'> }> {
  const own = await findTagsOf(tx, corp_id, [user_id])
  const groups = new Set(own.map(({ tags_group_id }) => tags_group_id))
  const user_claims = [user_id, merged_user_id]
  const ids = { leads, user_tags, user_follow_ups, merged_users, payers, user_claims }
  const locked = await lockRecords(tx, corp_id, ids)
  const claim = recordIn(locked, 'user_claims', user_id)
  const claimOfMerged = recordIn(locked, 'user_claims', merged_user_id)
  if (!claim.before && claimOfMerged.before) claim.after = { ...claimOfMerged.before, user_id }
  claimOfMerged.after = undefined
  const records = [...locked.values()]
  for (const record of records) {
    if (record.type === 'user_claims' || !record.before) continue
    const isDouble = record.type === 'user_tags' && groups.has(record.before.tags_group_id)
    const moved: TransitionOf<ImageType> = record
    moved.after = isDouble ? undefined : { ...record.before, user_id, ...nextStamp(record.before, now) }
  }
  return { records, claim }
}
