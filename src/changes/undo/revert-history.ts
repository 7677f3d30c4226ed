import type { Queryable } from '../../database/database.ts'
import {
  dropEventsOfMerge,
  insertingEvents,
  takeEvents,
  type UserEvent,
} from '../../people/users/user-event-store.ts'
import { endOfMerge, historyOfMerge } from '../merging/merged-history.ts'
import { countingMembers, type Image, isRemoved, isUpdated, ofType } from './record-images.ts'
import { changedMembers, type Revised } from './revert-change.ts'

/** The author and time of an undo. */
interface UndoCause {
  at: Date
  executor_id: string | null
}

/** The history of removed users moves into their images, so that it can come back with them. */
export async function takeHistory(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const removed = ofType(records, 'users').filter(isRemoved)
  const ids = removed.map(({ id }) => id)
  const taken = Map.groupBy(await takeEvents(tx, corp_id, ids), ({ user_id }) => user_id)
  for (const record of removed) {
    const history = taken.get(record.id)
    if (history) record.before = { ...record.before, history }
  }
}

/** Inserts the history of users that came back, and an event for each user that the undo changed. */
export async function giveHistory(
  tx: Queryable,
  corp_id: string,
  records: Revised[],
  cause: UndoCause,
): Promise<void> {
  const events = ofType(records, 'users').flatMap((user) =>
    isUpdated(user) ? [eventOfUndo(user, cause)] : user.before ? [] : historyIn(user.after),
  )
  await tx.pipeline(insertingEvents(corp_id, events))
}

function eventOfUndo(
  { id, before, after }: { id: string; before: Image<'users'>; after: Image<'users'> },
  { at, executor_id }: UndoCause,
): UserEvent {
  const changed = changedMembers('users', before, after)
  return {
    user_id: id,
    version: after.version,
    at,
    event: 'undone',
    owner_id: null,
    executor_id,
    before: contentOf(changed.before),
    after: contentOf(changed.after),
  }
}

function contentOf(image: Partial<Image<'users'>>): object {
  return Object.fromEntries(Object.entries(image).filter(([name]) => !countingMembers.includes(name)))
}

function historyIn(image: Image<'users'> | undefined): UserEvent[] {
  return image?.history ?? []
}

/** A merge that an undo ends or repeats. */
export interface RevertedMerge {
  merge_id: string
  merged: Revised<'users'>
  survivor: Revised<'users'>
}

/** Undefined if no user is removed or comes back. */
export function revertedMergeOf(records: Revised[]): RevertedMerge | undefined {
  const users = ofType(records, 'users')
  const merged = users.find(({ before, after }) => !before !== !after)
  const survivor = users.find((user) => user !== merged)
  const alias = ofType(records, 'merged_users').find(({ id }) => id === merged?.id)
  const image = alias?.before ?? alias?.after
  return merged && survivor && image && { merge_id: image.merge_id, merged, survivor }
}

/** The versions that the survivor advances: each event of the merged history gets one. */
export function versionsOfMerge({ merged }: RevertedMerge): number {
  return historyIn(merged.before).length + 1
}

/** Moves the history of a merged user back to that user, or to the survivor. */
export async function moveHistory(
  tx: Queryable,
  corp_id: string,
  { merge_id, merged, survivor }: RevertedMerge,
  cause: UndoCause,
): Promise<void> {
  const merge = { ...cause, merge_id, merged_user_id: merged.id }
  const isEnded = merged.after !== undefined
  if (isEnded) await dropEventsOfMerge(tx, { corp_id, user_id: survivor.id }, merge_id)
  const ofSurvivor = () => {
    if (!isUpdated(survivor)) return []
    return isEnded ? [endOfMerge(survivor, merge)] : historyOfMerge(survivor, historyIn(merged.before), merge)
  }
  await tx.pipeline(insertingEvents(corp_id, [...historyIn(merged.after), ...ofSurvivor()]))
}
