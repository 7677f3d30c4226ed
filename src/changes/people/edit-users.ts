import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { readTagValue, requirements } from '../../people/user-tags/tag-value.ts'
import { findTagsOf, type LockedGroup, lockGroups } from '../../people/user-tags/user-tag-store.ts'
import { findSurvivors } from '../../people/users/merged-user-store.ts'
import { moveToPool, requireReachToAll } from '../../people/users/reach.ts'
import { endOfClaim, insertingEvents, type UserEvent } from '../../people/users/user-event-store.ts'
import { applyTransitions, keyOf, lockRecords } from '../undo/apply-transitions.ts'
import { completeBatch, insertBatch, noteChanges } from '../undo/change-batch-store.ts'
import { type Image, microsecondsOf, type Transition } from '../undo/record-images.ts'

/** What is to become of users. */
interface UserEdit {
  corp_id: string
  user_ids: string[]
  pool?: string
  add_owner_ids?: string[]
  remove_owner_ids?: string[]
  tags?: { tags_group_id: string; value: string }[]
  dry_run?: boolean
}

type Outcome = 'changed' | 'unchanged' | 'missing'

interface Edited {
  batch_id: string
  changed: number
  unchanged: number
  missing: number
  list: {
    user_id: string
    outcome: 'changed' | 'unchanged'
    pool: string
    owner_ids: string[]
    tags: number
  }[]
}

/**
 * Edits users in one transaction, as a batch that can be taken back; or says what that would come to. Where some are
 * missing because they were merged, nothing has happened, and it runs again for those who survived them.
 */
export async function editUsers(context: OrganizationContext, edit: UserEdit): Promise<Edited> {
  const edited = await editNamed(context, edit)
  if (!(edited instanceof Map)) return edited
  return editUsers(context, { ...edit, user_ids: edit.user_ids.map((id) => edited.get(id) ?? id) })
}

async function editNamed(
  context: OrganizationContext,
  edit: UserEdit,
): Promise<Edited | Map<string, string>> {
  const { corp_id } = context.organization
  const userIds = [...new Set(edit.user_ids)]
  return context.db.transaction(async (tx) => {
    const inside = { ...context, db: tx }
    const groups = await lockedGroups(tx, edit)
    const locked = await lockRecords(tx, corp_id, [
      ...userIds.map((id) => ({ type: 'users' as const, id })),
      ...userIds.map((id) => ({ type: 'user_claims' as const, id })),
    ])
    const isPresent = (id: string) => locked.get(keyOf('users', id))!.before !== undefined
    const present = userIds.filter(isPresent)
    const missing = userIds.filter((id) => !isPresent(id))
    const survivors = await findSurvivors(tx, corp_id, missing)
    if (survivors.size > 0) return survivors
    const held = present.map((id) => locked.get(keyOf('users', id))!.before! as Held)
    requireReachToAll(context.reach, held)
    for (const id of present)
      editUser(context, locked.get(keyOf('users', id))!, locked.get(keyOf('user_claims', id))!, edit)
    const tags = await tagTransitions(inside, present, edit, groups)
    const transitions = [...locked.values(), ...tags].filter(({ before, after }) => before !== after)
    const outcomes = userIds.map((user_id) => {
      const { before, after } = locked.get(keyOf('users', user_id))!
      const own = tags.filter((tag) => tag.after!.user_id === user_id).length
      const outcome: Outcome = !before ? 'missing' : before !== after || own > 0 ? 'changed' : 'unchanged'
      return {
        ...{ user_id, outcome, pool: (after?.pool as string) ?? '' },
        ...{ owner_ids: (after?.owner_ids as string[]) ?? [], tags: own },
      }
    })
    const isApplied = !edit.dry_run && transitions.length > 0
    const batch_id = isApplied ? await applyAsBatch(inside, transitions) : ''
    const list = outcomes.flatMap(({ outcome, ...user }) =>
      outcome === 'missing' ? [] : [{ ...user, outcome }],
    )
    const count = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).length
    return {
      batch_id,
      changed: count('changed'),
      unchanged: count('unchanged'),
      missing: count('missing'),
      list,
    }
  })
}

type Held = Image & { owner_ids: string[]; pool: string }

async function applyAsBatch(context: OrganizationContext, transitions: Transition[]): Promise<string> {
  const { db: tx, organization, account, now, newId } = context
  const { corp_id } = organization
  const batch_id = newId()
  await insertBatch(tx, corp_id, { batch_id, kind: 'bulk_update', executor_id: account.app_id }, now)
  const changes = await applyTransitions(tx, corp_id, transitions)
  const ended = new Map(
    transitions.flatMap(({ type, id, before }) =>
      type === 'user_claims' ? [[id, before!.owner_id as string] as const] : [],
    ),
  )
  const events = transitions
    .filter(({ type }) => type === 'users')
    .map((user) => eventOfEdit(user, ended.get(user.id), account.app_id, now))
  const notes = noteChanges(corp_id, { batch_id, records: 0 }, changes, now)
  await tx.pipeline([...insertingEvents(corp_id, events), ...notes])
  await completeBatch(tx, corp_id, batch_id, now)
  return batch_id
}

function eventOfEdit(
  { id, before, after }: Transition,
  holder_id: string | undefined,
  executor_id: string,
  at: Date,
): UserEvent {
  const members = (image: Image) => ({ pool: image.pool, owner_ids: image.owner_ids })
  const end = endOfClaim(holder_id)
  return {
    ...{ user_id: id, version: after!.version as number, at, event: 'edited', owner_id: null, executor_id },
    before: { ...members(before!), ...end.before },
    after: { ...members(after!), ...end.after },
  }
}

function editUser(
  { reach, now }: OrganizationContext,
  user: Transition,
  claim: Transition,
  { add_owner_ids = [], remove_owner_ids = [], pool }: UserEdit,
): void {
  const was = user.before! as Held
  const owners = was.owner_ids
  const move = pool === undefined || pool === was.pool ? undefined : moveToPool(reach, was, pool)
  const added = [...new Set(add_owner_ids)].filter((owner) => !owners.includes(owner))
  const kept = (move?.owner_ids ?? owners).filter((owner) => !remove_owner_ids.includes(owner))
  if (added.length === 0 && kept.length === owners.length && !move) return
  user.after = {
    ...was,
    ...{ owner_ids: [...kept, ...added], pool: pool ?? was.pool },
    ...{ version: (was.version as number) + 1, mtime: microsecondsOf(now) },
  }
  if (claim.before && (move?.endsClaim || remove_owner_ids.includes(claim.before.owner_id as string)))
    claim.after = undefined
}

/** Groups that exist, are active and take the values; held as they are until the end. */
async function lockedGroups(
  tx: Queryable,
  { corp_id, tags = [] }: UserEdit,
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
        msg: 'The tag group is inactive and takes no assignments; activate it first.',
        allowed: ['activate the tag group'],
      })
    if (readTagValue(value)[group.attribute] === null)
      throw invalid(`tags.${index}.value`, requirements[group.attribute])
  }
  return groups
}

/** Tags that are new or come to another value. */
async function tagTransitions(
  { db: tx, organization: { corp_id }, account, now, newId }: OrganizationContext,
  userIds: string[],
  { tags = [] }: UserEdit,
  groups: Map<string, LockedGroup>,
): Promise<Transition[]> {
  if (tags.length === 0 || userIds.length === 0) return []
  const known = await findTagsOf(tx, corp_id, userIds)
  const idOf = new Map(known.map((tag) => [keyOf(tag.user_id, tag.tags_group_id), tag.entity_id]))
  const asked = known.filter(({ tags_group_id }) => groups.has(tags_group_id))
  const locked = await lockRecords(
    tx,
    corp_id,
    asked.map(({ entity_id }) => ({ type: 'user_tags' as const, id: entity_id })),
  )
  const time = microsecondsOf(now)
  return userIds.flatMap((user_id) =>
    tags.flatMap(({ tags_group_id, value }): Transition[] => {
      const { attribute } = groups.get(tags_group_id)!
      const values = valuesOf(attribute, value)
      const entity_id = idOf.get(keyOf(user_id, tags_group_id))
      const told = {
        ...values,
        attribute,
        source: 'open_api',
        executor_id: account.app_id,
        is_deleted: false,
      }
      if (entity_id === undefined) {
        const made = { entity_id: newId(), user_id, tags_group_id, ctime: time, mtime: time, version: 1 }
        return [{ type: 'user_tags', id: made.entity_id, before: undefined, after: { ...made, ...told } }]
      }
      const { before } = locked.get(keyOf('user_tags', entity_id))!
      const isSame = Object.entries(values).every(([name, is]) => before![name] === is)
      const after = { ...before!, ...told, mtime: time, version: (before!.version as number) + 1 }
      return isSame ? [] : [{ type: 'user_tags', id: entity_id, before, after }]
    }),
  )
}

function valuesOf(attribute: LockedGroup['attribute'], value: string) {
  const meaning = readTagValue(value)
  return {
    define_value: attribute === 'define' ? meaning.define : null,
    number_value: attribute === 'number' ? meaning.number : null,
    string_value: attribute === 'string' ? meaning.string : null,
  }
}
