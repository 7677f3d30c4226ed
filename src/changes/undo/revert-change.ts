import { isDeepStrictEqual } from 'node:util'
import type { LeftAlone, RecordChange } from './change-batch-store.ts'
import {
  type AnyImage,
  asContent,
  countingMembers,
  type Image,
  type ImageType,
  imageTables,
  nextStamp,
  restoredStamp,
  stampOf,
  type Transition,
  type TransitionOf,
} from './record-images.ts'

/** A record that an undo restores, and the members that it does not restore. */
export type Revised<T extends ImageType = ImageType> = Transition<T> & { left?: LeftAlone | undefined }
/** The same for code that handles all tables alike. */
export type AnyRevised = TransitionOf<ImageType> & { left?: LeftAlone | undefined }

/** A record after one change is undone; `image` is undefined if the record is removed. */
interface Reverted<T extends ImageType> {
  image: Image<T> | undefined
  left?: LeftAlone
}

/**
 * Undoes one change of a record. If nothing else has touched the record since, it gets its previous content in a new
 * version. Otherwise only the members that still have the values of the change are restored.
 */
export function revertChange<T extends ImageType>(
  type: T,
  { before, after }: Pick<RecordChange<T>, 'before' | 'after'>,
  current: Image<T> | undefined,
  now: Date,
): Reverted<T> {
  if (before === null && after === null) return { image: current }
  const kept = (reason: string) => ({ image: current, left: { reason, members: [] } })
  if (after === null) {
    if (current !== undefined) return kept('a record of this id was made since')
    // The change stores a removed record whole.
    const removed = before as Image<T>
    return { image: { ...removed, ...restoredStamp(type, removed, {}, now, versionsOfReturn) } }
  }
  if (current === undefined) return kept('was removed since')
  const isUntouched = differing(after, asContent(current)).length === 0
  if (before === null) return isUntouched ? { image: undefined } : kept(whyChanged(type, after, current))
  if (!isUntouched) return revertMembers(type, before, after, current, now)
  return { image: { ...current, ...before, ...restoredStamp(type, current, before, now) } }
}

/** Only a merge gives a record to another user. */
function whyChanged(type: ImageType, after: AnyImage, current: AnyImage): string {
  const isMoved = type !== 'users' && after.user_id !== undefined && after.user_id !== current.user_id
  return isMoved ? 'belongs to another user since a merge' : 'was changed since'
}

/** The removal of the record used one version, too. */
const versionsOfReturn = 2

function revertMembers<T extends ImageType>(
  type: T,
  before: AnyImage,
  after: AnyImage,
  current: Image<T>,
  now: Date,
): Reverted<T> {
  const skipped: readonly string[] = [...imageTables[type].stamp, ...countingMembers]
  const members: AnyImage = current
  const reverted: AnyImage = {}
  const touched: string[] = []
  for (const name of Object.keys(after).filter((member) => !skipped.includes(member))) {
    const value = members[name]
    if (isDeepStrictEqual(value, after[name])) reverted[name] = before[name]
    else if (Array.isArray(value)) reverted[name] = revertItems(value, before[name], after[name])
    else if (isObject(value)) reverted[name] = revertEntries(value, before[name], after[name])
    else touched.push(name)
  }
  const left = { reason: 'was changed since', members: touched }
  if (Object.keys(reverted).length === 0) return { image: current, left }
  return { image: { ...current, ...reverted, ...nextStamp(current, now) }, left }
}

/** Undoes a change of a list item by item: removes the added items and puts the removed items in front. */
function revertItems(current: unknown[], before: unknown, after: unknown): unknown[] {
  // Both have the type of the column, which is a list.
  const [old, changed] = [before as unknown[], after as unknown[]]
  const removed = old.filter((item) => !changed.includes(item) && !current.includes(item))
  return [...removed, ...current.filter((item) => old.includes(item) || !changed.includes(item))]
}

function isObject(value: unknown): value is AnyImage {
  return typeof value === 'object' && value !== null
}

/** Undoes a change of an object entry by entry. An entry that others have changed since stays. */
function revertEntries(current: AnyImage, before: unknown, after: unknown): AnyImage {
  // Both have the type of the column, which is an object.
  const [old, changed] = [before as AnyImage, after as AnyImage]
  const names = new Set([...Object.keys(old), ...Object.keys(changed)])
  const isOwn = (name: string) =>
    !isDeepStrictEqual(old[name], changed[name]) && isDeepStrictEqual(current[name], changed[name])
  const own = [...names].filter(isOwn)
  const others = Object.entries(current).filter(([name]) => !own.includes(name))
  const restored = own.flatMap((name) => (Object.hasOwn(old, name) ? [[name, old[name]]] : []))
  return Object.fromEntries([...others, ...restored])
}

function differing(members: AnyImage, current: AnyImage): string[] {
  return Object.keys(members).filter((name) => !isDeepStrictEqual(members[name], current[name]))
}

/** The change of a record, in the members that differ. A removed record is stored whole. */
export function changeBetween<T extends ImageType>(
  type: T,
  record_id: string,
  before: Image<T> | undefined,
  after: Image<T> | undefined,
): RecordChange<T> {
  const record = { record_type: type, record_id }
  if (before === undefined) return { ...record, before: null, after: after ? stampOf(type, after) : null }
  if (after === undefined) return { ...record, before, after: null }
  return { ...record, ...changedMembers(type, before, after) }
}

export function changedMembers<T extends ImageType>(type: T, before: Image<T>, after: Image<T>) {
  const [was, is] = [asContent(before), asContent(after)]
  const names = differing(is, was).filter((name) => !isUnnoted(type, name))
  const pick = (image: AnyImage) =>
    // The names are members of the image.
    Object.fromEntries(names.map((name) => [name, image[name]])) as Partial<Image<T>>
  return { before: pick(was), after: pick(is) }
}

/** Versions are noted only where they are part of the stamp. */
function isUnnoted(type: ImageType, name: string): boolean {
  const stamp: readonly string[] = imageTables[type].stamp
  return name === 'history' || (countingMembers.includes(name) && !stamp.includes(name))
}
