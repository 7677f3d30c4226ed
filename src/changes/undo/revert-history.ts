import type { Queryable } from '../../database/database.ts'
import {
  dropEventsOfMerge,
  insertingEvents,
  takeEvents,
  type UserEvent,
} from '../../people/users/user-event-store.ts'
import { endOfMerge, historyOfMerge } from '../people/merged-history.ts'
import { countingMembers, historyMember, type Image } from './record-images.ts'
import { changeBetween, type Revised } from './revert-change.ts'

/** Who undoes, and when. */
interface UndoCause {
  at: Date
  executor_id: string | null
}

/** The history of users that go is kept with the record of the change, to come back with it. */
export async function takeHistory(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const going = records.filter(({ type, before, after }) => type === 'users' && before && !after)
  const ids = going.map(({ id }) => id)
  const taken = Map.groupBy(await takeEvents(tx, corp_id, ids), ({ user_id }) => user_id)
  for (const record of going) {
    const own = taken.get(record.id)
    if (own) record.before = { ...record.before, [historyMember]: own }
  }
}

/** Users that came back have their history again; in the history of others the undo is an event. */
export async function giveHistory(
  tx: Queryable,
  corp_id: string,
  records: Revised[],
  cause: UndoCause,
): Promise<void> {
  const users = records.filter(({ type, before, after }) => type === 'users' && after && before !== after)
  const events = users.flatMap((user) => (user.before ? [eventOfUndo(user, cause)] : historyIn(user.after!)))
  await tx.pipeline(insertingEvents(corp_id, events))
}

function eventOfUndo({ type, id, before, after }: Revised, { at, executor_id }: UndoCause): UserEvent {
  const change = changeBetween(type, id, before, after)
  return {
    ...{ user_id: id, version: after!.version as number, at, event: 'undone', owner_id: null, executor_id },
    ...{ before: ownMembers(change.before!), after: ownMembers(change.after!) },
  }
}

function ownMembers(image: Image): Image {
  return Object.fromEntries(Object.entries(image).filter(([name]) => !countingMembers.includes(name)))
}

function historyIn(image: Image): UserEvent[] {
  return (image[historyMember] as UserEvent[] | undefined) ?? []
}

/** A merge that is ended, or made once more, by an undo. */
export interface RevertedMerge {
  merge_id: string
  merged: Revised
  survivor: Revised
}

/** Undefined where no user comes or goes. */
export function revertedMergeOf(records: Revised[]): RevertedMerge | undefined {
  const users = records.filter(({ type }) => type === 'users')
  const merged = users.find(({ before, after }) => !before !== !after)
  const survivor = users.find((user) => user !== merged)
  const alias = records.find(({ type, id }) => type === 'merged_users' && id === merged?.id)
  const image = alias?.before ?? alias?.after
  return merged && survivor && image && { merge_id: image.merge_id as string, merged, survivor }
}

/** How many versions the survivor counts further: history that is merged into its own has versions there. */
export function versionsOfMerge({ merged }: RevertedMerge): number {
  return merged.before ? historyIn(merged.before).length + 1 : 1
}

/** The history of a merged user moves with it: back, or to the survivor. */
export async function moveHistory(
  tx: Queryable,
  corp_id: string,
  { merge_id, merged, survivor }: RevertedMerge,
  cause: UndoCause,
): Promise<void> {
  const merge = { ...cause, merge_id, merged_user_id: merged.id }
  const isChanged = survivor.before && survivor.after && survivor.before !== survivor.after
  if (merged.after) {
    await dropEventsOfMerge(tx, { corp_id, user_id: survivor.id }, merge_id)
    const end = isChanged ? [endOfMerge(survivor, merge)] : []
    await tx.pipeline(insertingEvents(corp_id, [...historyIn(merged.after), ...end]))
  } else if (isChanged)
    await tx.pipeline(insertingEvents(corp_id, historyOfMerge(survivor, historyIn(merged.before!), merge)))
}
