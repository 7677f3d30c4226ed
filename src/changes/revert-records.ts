import type { Queryable } from '../database/database.ts'
import type { Changer } from '../orders/change-orders.ts'
import { eventInsertion, takeEventsAbove, type UserEvent } from '../users/user-event-store.ts'
import type { Change, LeftAlone } from './change-batch-store.ts'
import {
  deleteImages,
  findReferred,
  insertImages,
  lockImages,
  releaseContacts,
  updateImages,
} from './image-store.ts'
import { noteTransitions } from './note-transitions.ts'
import {
  historyMember,
  type Image,
  type ImageType,
  imageTables,
  imageTypes,
  type Transition,
} from './record-images.ts'
import { changeBetween, revertChange } from './revert-change.ts'

/** A record on its way back. */
interface Revised extends Transition {
  left: LeftAlone | undefined
}

/** Takes changes of records back, last first, in the transaction; answers what that changed, in the order it was done. */
export async function revertRecords(
  { db: tx, corp_id, executor_id }: Changer,
  changes: Change[],
): Promise<Change[]> {
  const now = new Date()
  const revised = await lockRevised(tx, corp_id, changes)
  for (const change of changes) {
    const record = revised.get(keyOf(change.record_type, change.record_id))!
    const { image, left } = revertChange(record.type, change, record.after, now)
    record.after = image
    record.left = left ?? record.left
  }
  await keepReferred(tx, corp_id, [...revised.values()])
  const done = [...revised.values()]
  await takeHistory(tx, corp_id, done)
  const changed = await store(tx, corp_id, done)
  await giveHistory(tx, corp_id, done, { at: now, executor_id })
  await noteTransitions(
    tx,
    corp_id,
    done.filter(({ before, after }) => before !== after),
  )
  return changed
}

async function lockRevised(tx: Queryable, corp_id: string, changes: Change[]): Promise<Map<string, Revised>> {
  const revised = new Map<string, Revised>()
  for (const { record_type, record_id } of changes) {
    const [type, id] = [record_type as ImageType, record_id]
    revised.set(keyOf(type, id), { type, id, before: undefined, after: undefined, left: undefined })
  }
  const idsOf = (type: ImageType) =>
    [...revised.values()].filter((record) => record.type === type).map(({ id }) => id)
  const found = await tx.pipeline<Image[]>(
    imageTypes.map((type) => lockImages(corp_id, type, idsOf(type).toSorted())),
  )
  for (const [index, type] of imageTypes.entries()) {
    for (const image of found[index] ?? []) {
      const record = revised.get(keyOf(type, image[imageTables[type].key] as string))!
      record.before = image
      record.after = image
    }
  }
  return revised
}

/** A user that was made may have come by leads, orders or tags of others. */
async function keepReferred(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const gone = (type: ImageType) =>
    records.filter((record) => record.type === type && record.before && !record.after).map(({ id }) => id)
  const users = gone('users')
  if (users.length === 0) return
  const referred = await findReferred(tx, corp_id, users, {
    leads: gone('leads'),
    user_tags: gone('user_tags'),
  })
  for (const record of records) {
    if (record.type !== 'users' || !referred.has(record.id)) continue
    record.after = record.before
    record.left = { reason: 'others refer to it', members: [] }
  }
}

/**
 * The history of a user that becomes an earlier version ends there. What is taken from it is kept with the record of the
 * change, to come back with it.
 */
async function takeHistory(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const earlier = records.flatMap(({ type, id, before, after }) => {
    const [was, is] = [versionOf(before), versionOf(after)]
    return type === 'users' && is < was ? [{ user_id: id, version: is }] : []
  })
  const events = await takeEventsAbove(tx, corp_id, earlier)
  if (events.length === 0) return
  for (const record of records) {
    const own = record.type === 'users' ? events.filter(({ user_id }) => user_id === record.id) : []
    if (own.length > 0) record.before = { ...record.before, [historyMember]: own }
  }
}

/** What comes back with its record, and what is a change of its own. */
async function giveHistory(
  tx: Queryable,
  corp_id: string,
  records: Revised[],
  { at, executor_id }: { at: Date; executor_id: string | null },
): Promise<void> {
  const users = records.filter(({ type, before, after }) => type === 'users' && after && before !== after)
  const events = users.flatMap(({ type, id, before, after, left }): UserEvent[] => {
    const kept = after![historyMember] as UserEvent[] | undefined
    if (kept) return kept
    if (!before || !left) return []
    const change = changeBetween(type, id, before, after)
    const cause = { at, event: 'undone' as const, owner_id: null, executor_id }
    return [
      { ...cause, user_id: id, version: versionOf(after), before: change.before!, after: change.after! },
    ]
  })
  if (events.length > 0) await tx.query(eventInsertion(corp_id, events))
}

function versionOf(image: Image | undefined): number {
  return (image?.version as number | undefined) ?? 0
}

/** Users come first and go last, since the other records refer to them. */
async function store(tx: Queryable, corp_id: string, records: Revised[]): Promise<Change[]> {
  const isMade = ({ before, after }: Revised) => before === undefined && after !== undefined
  const isGone = ({ before, after }: Revised) => before !== undefined && after === undefined
  const isChanged = ({ before, after }: Revised) =>
    before !== undefined && after !== undefined && before !== after
  const users = records.filter(({ type }) => type === 'users')
  const others = imageTypes.slice(1).map((type) => records.filter((record) => record.type === type))
  const changedUsers = users.filter(isChanged)
  await releaseContacts(
    tx,
    corp_id,
    changedUsers.filter(exchangesContacts).map(({ id }) => id),
  )
  for (const each of others) await remove(tx, corp_id, each.filter(isGone))
  await insertImages(
    tx,
    corp_id,
    'users',
    users.filter(isMade).map(({ after }) => after!),
  )
  for (const each of others) {
    const [type] = each.map((record) => record.type)
    if (type === undefined) continue
    await updateImages(
      tx,
      corp_id,
      type,
      each.filter(isChanged).map(({ after }) => after!),
    )
    await insertImages(
      tx,
      corp_id,
      type,
      each.filter(isMade).map(({ after }) => after!),
    )
  }
  await remove(tx, corp_id, users.filter(isGone))
  await updateImages(
    tx,
    corp_id,
    'users',
    changedUsers.map(({ after }) => after!),
  )
  const untouched = records.filter(({ before, after }) => before === after)
  const inOrder = [users.filter(isMade), ...others, users.filter(isGone), changedUsers].flat()
  return [
    ...inOrder
      .filter(({ before, after }) => before !== after)
      .map(({ type, id, before, after, left }) => ({
        ...changeBetween(type, id, before, after),
        left_alone: left ?? null,
      })),
    ...untouched.flatMap(({ type, id, left }) =>
      left ? [{ record_type: type, record_id: id, before: null, after: null, left_alone: left }] : [],
    ),
  ]
}

async function remove(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const [first] = records
  if (first)
    await deleteImages(
      tx,
      corp_id,
      first.type,
      records.map(({ id }) => id),
    )
}

function exchangesContacts({ before, after }: Revised): boolean {
  return ['area_code', 'mobile', 'email'].some((name) => before![name] !== after![name])
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`
}
