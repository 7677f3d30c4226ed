import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { moveOrders } from '../../orders/move-orders.ts'
import { findTagsOf } from '../../people/user-tags/user-tag-store.ts'
import { type Belongings, findBelongings } from '../../people/users/merged-user-store.ts'
import { initialPool } from '../../people/users/pool.ts'
import { requireReachToAll } from '../../people/users/reach.ts'
import { insertingEvents, takeEvents } from '../../people/users/user-event-store.ts'
import { isErased } from '../erasure/erase-store.ts'
import { applyTransitions, keyOf, lockRecords } from '../undo/apply-transitions.ts'
import { completeBatch, insertBatch, noteChanges } from '../undo/change-batch-store.ts'
import { historyMember, type Image, nextStamp, type Transition } from '../undo/record-images.ts'
import { historyOfMerge } from './merged-history.ts'

/** Merges a user into another one, as a batch that can be taken back; answers its id. */
export async function mergeInto(
  context: OrganizationContext,
  user_id: string,
  merged_user_id: string,
): Promise<string> {
  const { organization, account, now, newId } = context
  const { corp_id } = organization
  return context.db.transaction(async (tx) => {
    const { survivor, merged } = await lockBoth(tx, corp_id, user_id, merged_user_id)
    const both = [survivor, merged].map(({ before }) => before as { owner_ids: string[]; pool: string })
    requireReachToAll(context.reach, both)
    for (const id of [user_id, merged_user_id]) await requireNotErased(tx, corp_id, id)
    const merge_id = newId()
    await insertBatch(
      tx,
      corp_id,
      { batch_id: merge_id, kind: 'user_merge', executor_id: account.app_id },
      now,
    )
    const owned = await findBelongings(tx, corp_id, merged_user_id)
    const changer = { db: tx, corp_id, executor_id: account.app_id }
    const moves = owned.orders.map((order_id) => ({ order_id, user_id }))
    await moveOrders(changer, moves, { change: 'merged', reason: `Merge of user ${merged_user_id}` })
    const history = await takeEvents(tx, corp_id, [merged_user_id])
    const alias = aliasOf(merged.before!, user_id, merge_id)
    survivor.after = filledBy(survivor.before!, merged.before!, history.length, now)
    merged.before = history.length > 0 ? { ...merged.before, [historyMember]: history } : merged.before
    merged.after = undefined
    survivor.tellsOfAnother = true
    const followers = await followersOf(tx, corp_id, user_id, merged_user_id, owned, now)
    // Whom a claim comes to is not where users are claimed from.
    const isClaimed = followers.some(
      ({ type, id, before, after }) => type === 'user_claims' && id === user_id && before !== after,
    )
    if (isClaimed && survivor.before!.pool === initialPool(organization))
      survivor.after = { ...survivor.after, pool: merged.before!.pool }
    const changes = await applyTransitions(tx, corp_id, [
      ...[survivor, merged, ...followers],
      { type: 'merged_users', id: merged_user_id, before: undefined, after: alias },
    ])
    const cause = { merge_id, merged_user_id, executor_id: account.app_id, at: now }
    const events = historyOfMerge(survivor, history, cause)
    const orders = owned.orders.map((record_id) => ({
      ...{ record_type: 'orders', record_id, before: { user_id: merged_user_id }, after: { user_id } },
    }))
    const notes = noteChanges(corp_id, { batch_id: merge_id, records: 0 }, [...orders, ...changes], now)
    await tx.pipeline([...insertingEvents(corp_id, events), ...notes])
    await completeBatch(tx, corp_id, merge_id, now)
    return merge_id
  })
}

async function lockBoth(
  tx: Queryable,
  corp_id: string,
  user_id: string,
  merged_user_id: string,
): Promise<{ survivor: Transition; merged: Transition }> {
  const found = await lockRecords(tx, corp_id, [
    { type: 'users', id: user_id },
    { type: 'users', id: merged_user_id },
  ])
  const survivor = found.get(keyOf('users', user_id))!
  const merged = found.get(keyOf('users', merged_user_id))!
  if (!survivor.before || !merged.before) throw new ApiError('userNotFound')
  return { survivor, merged }
}

/** Orders of an erased user name nobody. A person who was merged into an erased user could not be erased any more. */
async function requireNotErased(tx: Queryable, corp_id: string, user_id: string): Promise<void> {
  if (!(await isErased(tx, corp_id, user_id))) return
  const msg = `User ${user_id} was erased. An erased user cannot be merged; use the user they are now.`
  throw new ApiError('stateForbids', { msg, allowed: [] })
}

/** What the merged user is known by from now on. */
function aliasOf(merged: Image, user_id: string, merge_id: string): Image {
  const { user_id: merged_user_id, area_code, mobile, email } = merged
  return { merged_user_id, user_id, merge_id, area_code, mobile, email }
}

const single = [
  ...[
    'gender',
    'age',
    'city',
    'city_raw',
    'city_mobile',
    'company_name',
    'job_title',
    'department',
    'industry',
  ],
  ...['work_exp', 'professional_profile_url', 'email'],
]
/** Members that mean something together only. */
const together = [
  ['name', 'first_name', 'last_name'],
  ['area_code', 'mobile'],
  ['backup_area_code', 'backup_mobile'],
]

function filledBy(survivor: Image, merged: Image, events: number, now: Date): Image {
  const blank = [...single.map((name) => [name]), ...together].filter((names) =>
    names.every((name) => survivor[name] === null),
  )
  const filled: Image = Object.fromEntries(blank.flat().map((name) => [name, merged[name]]))
  const keepsNumber = survivor.mobile !== null && merged.mobile !== null
  if (keepsNumber && survivor.backup_mobile === null)
    Object.assign(filled, { backup_area_code: merged.area_code, backup_mobile: merged.mobile })
  const owners = survivor.owner_ids as string[]
  return {
    ...survivor,
    ...filled,
    attributes: { ...(merged.attributes as object), ...(survivor.attributes as object) },
    owner_ids: [...owners, ...(merged.owner_ids as string[]).filter((owner) => !owners.includes(owner))],
    is_verified: survivor.is_verified === true || merged.is_verified === true,
    ...nextStamp('users', survivor, now, events + 1),
  }
}

/** What goes along with the merged user. Of a tag group that both have, the survivor's tag stays; likewise of claims. */
async function followersOf(
  tx: Queryable,
  corp_id: string,
  user_id: string,
  merged_user_id: string,
  owned: Belongings,
  now: Date,
): Promise<Transition[]> {
  const types = ['leads', 'user_tags', 'user_follow_ups', 'merged_users'] as const
  const own = await findTagsOf(tx, corp_id, [user_id])
  const groups = new Set<unknown>(own.map(({ tags_group_id }) => tags_group_id))
  const locked = await lockRecords(tx, corp_id, [
    ...types.flatMap((type) => owned[type].map((id) => ({ type, id }))),
    ...[user_id, merged_user_id].map((id) => ({ type: 'user_claims' as const, id })),
  ])
  const claim = locked.get(keyOf('user_claims', user_id))!
  const claimOfMerged = locked.get(keyOf('user_claims', merged_user_id))!
  if (!claim.before && claimOfMerged.before) claim.after = { ...claimOfMerged.before, user_id }
  claimOfMerged.after = undefined
  for (const record of locked.values()) {
    if (record.type === 'user_claims' || !record.before) continue
    const isDouble = record.type === 'user_tags' && groups.has(record.before.tags_group_id)
    const moved = { ...record.before, user_id, ...nextStamp(record.type, record.before, now) }
    record.after = isDouble ? undefined : moved
  }
  return [...locked.values()]
}
