import { isDeepStrictEqual } from 'node:util'
import type { Change, LeftAlone } from './change-batch-store.ts'
import {
  asContent,
  countingMembers,
  historyMember,
  type Image,
  type ImageType,
  imageTables,
  nextStamp,
  restoredStamp,
  stampOf,
  type Transition,
} from './record-images.ts'

/** A record on its way back. */
export interface Revised extends Transition {
  left?: LeftAlone
}

/** What a record is to be once a change is taken back; undefined where there is to be none. */
export interface Reverted {
  image: Image | undefined
  left?: LeftAlone
}

/**
 * Takes one change back, as far as nobody else has touched the record since: then it says what it said before, to the
 * last member, in a new version. Of a record that others have changed, the members that still are as the change left
 * them are put back; the others stay.
 */
export function revertChange(
  type: ImageType,
  change: Pick<Change, 'before' | 'after'>,
  current: Image | undefined,
  now: Date,
): Reverted {
  const { before, after } = change
  if (before === null && after === null) return { image: current }
  if (before === null) return revertMaking(after!, current)
  if (after === null) {
    return current === undefined
      ? { image: { ...before, ...restoredStamp(type, before, {}, now, versionsOfReturn) } }
      : { image: current, left: { reason: 'a record of this id was made since', members: [] } }
  }
  if (current === undefined) return { image: current, left: { reason: 'was removed since', members: [] } }
  if (differing(after, asContent(current)).length === 0) {
    return { image: { ...current, ...before, ...restoredStamp(type, current, before, now) } }
  }
  return revertMembers(type, before, after, current, now)
}

/** The removal of a record took a version, too. */
const versionsOfReturn = 2

function revertMaking(after: Image, current: Image | undefined): Reverted {
  if (current === undefined) return { image: current, left: { reason: 'was removed since', members: [] } }
  const touched = differing(after, asContent(current))
  if (touched.length === 0) return { image: undefined }
  return { image: current, left: { reason: 'was changed since', members: [] } }
}

function revertMembers(type: ImageType, before: Image, after: Image, current: Image, now: Date): Reverted {
  const unlooked: readonly string[] = [...imageTables[type].stamp, ...countingMembers]
  const reverted: Image = {}
  const touched: string[] = []
  for (const name of Object.keys(after).filter((member) => !unlooked.includes(member))) {
    if (isDeepStrictEqual(current[name], after[name])) reverted[name] = before[name]
    else if (Array.isArray(current[name]))
      reverted[name] = withoutItems(current[name], before[name], after[name])
    else touched.push(name)
  }
  const left = { reason: 'was changed since', members: touched }
  if (Object.keys(reverted).length === 0) return { image: current, left }
  return { image: { ...current, ...reverted, ...nextStamp(type, current, now) }, left }
}

/** Lists are taken back item by item: what the change added goes, what it removed comes back, in front. */
function withoutItems(current: unknown[], before: unknown, after: unknown): unknown[] {
  const [old, made] = [before as unknown[], after as unknown[]]
  const removed = old.filter((item) => !made.includes(item) && !current.includes(item))
  return [...removed, ...current.filter((item) => old.includes(item) || !made.includes(item))]
}

function differing(members: Image, current: Image): string[] {
  return Object.keys(members).filter((name) => !isDeepStrictEqual(members[name], current[name]))
}

/** What a change comes to, in the members that differ; a record that was removed is kept whole. */
export function changeBetween(
  type: ImageType,
  record_id: string,
  before: Image | undefined,
  after: Image | undefined,
): Change {
  const record = { record_type: type, record_id }
  if (before === undefined) return { ...record, before: null, after: stampOf(type, after!) }
  if (after === undefined) return { ...record, before, after: null }
  const [was, is] = [asContent(before), asContent(after)]
  const names = differing(is, was).filter((name) => !unnotedMembers(type).includes(name))
  const pick = (image: Image) => Object.fromEntries(names.map((name) => [name, image[name]]))
  return { ...record, before: pick(was), after: pick(is) }
}

/** Versions are noted only where they are part of the stamp. */
function unnotedMembers(type: ImageType): string[] {
  const stamp: readonly string[] = imageTables[type].stamp
  return [historyMember, ...countingMembers.filter((name) => !stamp.includes(name))]
}
