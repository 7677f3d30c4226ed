import { isDeepStrictEqual } from 'node:util'
import type { Change, LeftAlone } from './change-batch-store.ts'
import {
  historyMember,
  type Image,
  type ImageType,
  imageTables,
  microsecondsOf,
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
 * Takes one change back, as far as nobody else has touched the record since: then it is what it was before, to the last
 * member. Of a record that others have changed, the members that still are as the change left them are put back, which
 * is a change of its own; the others stay.
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
      ? { image: before }
      : { image: current, left: { reason: 'a record of this id was made since', members: [] } }
  }
  if (current === undefined) return { image: current, left: { reason: 'was removed since', members: [] } }
  if (differing(after, current).length === 0) return { image: { ...current, ...before } }
  return revertMembers(type, before, after, current, now)
}

function revertMaking(after: Image, current: Image | undefined): Reverted {
  if (current === undefined) return { image: current, left: { reason: 'was removed since', members: [] } }
  const touched = differing(after, current)
  if (touched.length === 0) return { image: undefined }
  return { image: current, left: { reason: 'was changed since', members: [] } }
}

function revertMembers(type: ImageType, before: Image, after: Image, current: Image, now: Date): Reverted {
  const stamp: readonly string[] = imageTables[type].stamp
  const reverted: Image = {}
  const touched: string[] = []
  for (const name of Object.keys(after).filter((member) => !stamp.includes(member))) {
    if (isDeepStrictEqual(current[name], after[name])) reverted[name] = before[name]
    else if (Array.isArray(current[name]))
      reverted[name] = withoutItems(current[name], before[name], after[name])
    else touched.push(name)
  }
  const left = { reason: 'was changed since', members: touched }
  if (Object.keys(reverted).length === 0) return { image: current, left }
  return { image: { ...current, ...reverted, ...newStamp(type, current, now) }, left }
}

/** Lists are taken back item by item: what the change added goes, what it removed comes back, in front. */
function withoutItems(current: unknown[], before: unknown, after: unknown): unknown[] {
  const [old, made] = [before as unknown[], after as unknown[]]
  const removed = old.filter((item) => !made.includes(item) && !current.includes(item))
  return [...removed, ...current.filter((item) => old.includes(item) || !made.includes(item))]
}

/** A record that is changed in part has a version of its own from then on. */
function newStamp(type: ImageType, current: Image, now: Date): Image {
  if (!('version' in imageTables[type].columns)) return {}
  return { version: (current.version as number) + 1, mtime: microsecondsOf(now) }
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
  const names = differing(after, before).filter((name) => name !== historyMember)
  const pick = (image: Image) => Object.fromEntries(names.map((name) => [name, image[name]]))
  const history = before[historyMember] ? { [historyMember]: before[historyMember] } : {}
  return { ...record, before: { ...pick(before), ...history }, after: pick(after) }
}
