import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { readTagValue, requirements } from '../../people/user-tags/tag-value.ts'
import { findTagsOf, type LockedGroup, lockGroups } from '../../people/user-tags/user-tag-store.ts'
import { fullName } from '../../people/users/full-name.ts'
import { findSurvivors } from '../../people/users/merged-user-store.ts'
import { moveToPool, obstacleOf, requireReachToAll } from '../../people/users/reach.ts'
import { endOfClaim, insertingEvents, type UserEvent } from '../../people/users/user-event-store.ts'
import { applyTransitions, lockRecords, recordIn } from '../undo/apply-transitions.ts'
import { type ChangeBatch, completeBatch, insertBatch, noteChanges } from '../undo/change-batch-store.ts'
import {
  type Image,
  isRemoved,
  isUpdated,
  microsecondsOf,
  ofType,
  type Transition,
} from '../undo/record-images.ts'

/** A change of users: of their pool, owners or tags. */
export interface BulkEdit {
  pool?: string
  add_owner_ids?: string[]
  remove_owner_ids?: string[]
  tags?: { tags_group_id: string; value: string }[]
}

interface UserEdit extends BulkEdit {
  user_ids: string[]
  dry_run?: boolean
}

interface Edited {
  batch_id: string
  changed: number
  unchanged: number
  missing: number
  missing_ids: string[]
  list: EditedUser[]
}

interface EditedUser {
  user_id: string
  name: string
  outcome: 'changed' | 'unchanged'
  pool: string
  owner_ids: string[]
  tags: number
}

/**
 * Edits users in one transaction, as a batch that can be undone. A dry run only reports the changes. If missing users
 * were merged, nothing was changed, and the edit runs again for their survivors.
 */
export async function editUsers(context: OrganizationContext, edit: UserEdit): Promise<Edited> {
  return context.db.transaction(async (tx) => {
    const inside = { ...context, db: tx }
    const { transitions, list, missing_ids } = await planEdit(inside, edit, edit.user_ids)
    const isApplied = !edit.dry_run && transitions.length > 0
    const changed = list.filter(({ outcome }) => outcome === 'changed').length
    return {
      batch_id: isApplied ? await applyAsBatch(inside, transitions) : '',
      changed,
      unchanged: list.length - changed,
      missing: missing_ids.length,
      missing_ids,
      list,
    }
  })
}

/** The transitions of an edit, and their effect on each user. */
interface PlannedEdit {
  transitions: Transition[]
  list: EditedUser[]
  missing_ids: string[]
  /** Users whom the executor may not change. */
  refused: number
}

/**
 * Locks users and plans an edit. The id of a merged user means its survivor. Users beyond the reach of the executor are
 * refused all together, or left out.
 */
export async function planEdit(
  context: OrganizationContext,
  edit: BulkEdit,
  userIds: string[],
  { leavesOutRefused = false } = {},
): Promise<PlannedEdit> {
  const { db: tx, organization } = context
  const { corp_id } = organization
  const ids = [...new Set(userIds)]
  const groups = await lockedGroups(tx, corp_id, edit)
  const locked = await lockRecords(tx, corp_id, { users: ids, user_claims: ids })
  const found = ids.flatMap((id) => recordIn(locked, 'users', id).before ?? [])
  const known = new Set(found.map(({ user_id }) => user_id))
  const missing_ids = ids.filter((id) => !known.has(id))
  const survivors = await findSurvivors(tx, corp_id, missing_ids)
  if (survivors.size > 0) {
    const surviving = ids.map((id) => survivors.get(id) ?? id)
    return planEdit(context, edit, surviving, { leavesOutRefused })
  }
  if (!leavesOutRefused) requireReachToAll(context.reach, found)
  const admitted = found.filter((user) => !leavesOutRefused || isAllowed(context, user, edit))
  const users = admitted.map((before): Changed => {
    const claim = recordIn(locked, 'user_claims', before.user_id)
    const { after, endsClaim } = editUser(context, before, claim.before?.owner_id, edit)
    if (endsClaim) claim.after = undefined
    return { type: 'users', id: before.user_id, before, after }
  })
  const tags = await tagTransitions(
    context,
    admitted.map(({ user_id }) => user_id),
    edit,
    groups,
  )
  const transitions = [...users, ...ofType([...locked.values()], 'user_claims'), ...tags].filter(
    ({ before, after }) => before !== after,
  )
  const tagged = Map.groupBy(tags, ({ after }) => after?.user_id)
  const list = users.map(({ id, before, after }) => {
    const count = tagged.get(id)?.length ?? 0
    const isChanged = before !== after || count > 0
    return {
      user_id: id,
      name: fullName(before),
      outcome: isChanged ? ('changed' as const) : ('unchanged' as const),
      pool: after.pool,
      owner_ids: after.owner_ids,
      tags: count,
    }
  })
  return { transitions, list, missing_ids, refused: found.length - admitted.length }
}

/** Whether the executor may make this edit of a user: neither the reach nor the rules of pools forbid it. */
function isAllowed({ reach }: OrganizationContext, user: Image<'users'>, { pool }: BulkEdit): boolean {
  if (obstacleOf(reach, user) !== undefined) return false
  return reach === 'everyone' || pool === undefined || pool === user.pool || user.pool !== reach.pool
}

type Changed = Transition<'users'> & { before: object; after: object }

async function applyAsBatch(context: OrganizationContext, transitions: Transition[]): Promise<string> {
  const { db: tx, organization, account, now, newId } = context
  const { corp_id } = organization
  const batch_id = newId()
  await insertBatch(tx, corp_id, { batch_id, kind: 'bulk_update', executor_id: account.app_id }, now)
  await applyToBatch(context, { batch_id, records: 0 }, transitions)
  await completeBatch(tx, corp_id, batch_id, now)
  return batch_id
}

/** Applies transitions and appends them to a batch, which is locked or new. */
export async function applyToBatch(
  { db: tx, organization: { corp_id }, account, now }: OrganizationContext,
  batch: Pick<ChangeBatch, 'batch_id' | 'records'>,
  transitions: Transition[],
): Promise<void> {
  const changes = await applyTransitions(tx, corp_id, transitions)
  const ended = ofType(transitions, 'user_claims').filter(isRemoved)
  const holders = new Map(ended.map(({ id, before }) => [id, before.owner_id]))
  const events = ofType(transitions, 'users')
    .filter(isUpdated)
    .map((user) => eventOfEdit(user, holders.get(user.id), account.app_id, now))
  const notes = noteChanges(corp_id, batch, changes, now)
  await tx.pipeline([...insertingEvents(corp_id, events), ...notes])
}

function eventOfEdit(
  { id, before, after }: Changed,
  holder_id: string | undefined,
  executor_id: string,
  at: Date,
): UserEvent {
  const end = endOfClaim(holder_id)
  return {
    user_id: id,
    version: after.version,
    at,
    event: 'edited',
    owner_id: null,
    executor_id,
    before: { pool: before.pool, owner_ids: before.owner_ids, ...end.before },
    after: { pool: after.pool, owner_ids: after.owner_ids, ...end.after },
  }
}

function editUser(
  { reach, now }: OrganizationContext,
  user: Image<'users'>,
  holder_id: string | undefined,
  { add_owner_ids = [], remove_owner_ids = [], pool = user.pool }: BulkEdit,
): { after: Image<'users'>; endsClaim: boolean } {
  const { owner_ids: owners, version } = user
  const move = pool === user.pool ? undefined : moveToPool(reach, user, pool)
  const added = [...new Set(add_owner_ids)].filter((owner) => !owners.includes(owner))
  const kept = (move?.owner_ids ?? owners).filter((owner) => !remove_owner_ids.includes(owner))
  if (added.length === 0 && kept.length === owners.length && !move) return { after: user, endsClaim: false }
  const owner_ids = [...kept, ...added]
  return {
    after: { ...user, owner_ids, pool, version: version + 1, mtime: microsecondsOf(now) },
    endsClaim: holder_id !== undefined && (move?.endsClaim || remove_owner_ids.includes(holder_id)),
  }
}

/** Locks the tag groups. Each must exist, be active and accept its value. */
async function lockedGroups(
  tx: Queryable,
  corp_id: string,
  { tags = [] }: BulkEdit,
): Promise<Map<string, LockedGroup>> {
  if (tags.length === 0) return new Map()
  const ids = tags.map(({ tags_group_id }) => tags_group_id)
  const found = await tx.query<LockedGroup>(lockGroups(corp_id, ids))
  const groups = new Map(found.map((group) => [group.entity_id, group]))
  for (const [index, { tags_group_id, value }] of tags.entries()) {
    const group = groups.get(tags_group_id)
    if (!group) throw new ApiError('tagGroupNotFound')
    if (!group.is_active)
      throw new ApiError('stateForbids', {
        msg: 'The tag group is inactive. Activate it first.',
        allowed: ['activate the tag group'],
      })
    if (readTagValue(value)[group.attribute] === null)
      throw invalid(`tags.${index}.value`, requirements[group.attribute])
  }
  return groups
}

/** The tags that are new or get another value. */
async function tagTransitions(
  { db: tx, organization: { corp_id }, account, now, newId }: OrganizationContext,
  userIds: string[],
  { tags = [] }: BulkEdit,
  groups: Map<string, LockedGroup>,
): Promise<Transition<'user_tags'>[]> {
  if (tags.length === 0 || userIds.length === 0) return []
  const keyOf = (user_id: string, tags_group_id: string) => `${user_id} ${tags_group_id}`
  const known = (await findTagsOf(tx, corp_id, userIds)).filter((tag) => groups.has(tag.tags_group_id))
  const ids = new Map(known.map((tag) => [keyOf(tag.user_id, tag.tags_group_id), tag.entity_id]))
  const locked = await lockRecords(tx, corp_id, { user_tags: [...ids.values()] })
  const time = microsecondsOf(now)
  return userIds.flatMap((user_id) =>
    tags.flatMap(({ tags_group_id, value }): Transition<'user_tags'>[] => {
      const group = groups.get(tags_group_id)
      if (!group) return []
      const known_id = ids.get(keyOf(user_id, tags_group_id))
      const id = known_id ?? newId()
      const before = known_id === undefined ? undefined : recordIn(locked, 'user_tags', known_id).before
      const values = valuesOf(group.attribute, value)
      if (before && isSameValue(before, values)) return []
      const after = {
        entity_id: id,
        user_id,
        tags_group_id,
        ctime: time,
        restored: null,
        ...before,
        ...values,
        attribute: group.attribute,
        source: 'open_api',
        executor_id: account.app_id,
        is_deleted: false,
        mtime: time,
        version: (before?.version ?? 0) + 1,
      }
      return [{ type: 'user_tags', id, before, after }]
    }),
  )
}

function isSameValue(tag: TagValues, values: TagValues): boolean {
  return (
    tag.define_value === values.define_value &&
    tag.number_value === values.number_value &&
    tag.string_value === values.string_value
  )
}

type TagValues = Pick<Image<'user_tags'>, 'define_value' | 'number_value' | 'string_value'>

function valuesOf(attribute: LockedGroup['attribute'], value: string): TagValues {
  const meaning = readTagValue(value)
  return {
    define_value: attribute === 'define' ? meaning.define : null,
    number_value: attribute === 'number' ? meaning.number : null,
    string_value: attribute === 'string' ? meaning.string : null,
  }
}
