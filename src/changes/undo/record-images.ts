import type { Columns } from '../../database/insert-rows.ts'
import { leadColumns } from '../../people/leads/lead-store.ts'
import { userTagColumns } from '../../people/user-tags/user-tag-store.ts'
import { claimColumns } from '../../people/users/claims/claim-store.ts'
import { followUpColumns } from '../../people/users/follow-ups/follow-up-store.ts'
import { mergedUserColumns } from '../../people/users/merged-user-store.ts'
import { userColumns } from '../../people/users/user-store.ts'
import { importedRowColumns } from '../order-import/import-write-store.ts'

/** A record as it stands in its table, or some members of it. Instants are texts with their microseconds. */
export type Image = Record<string, unknown>

/** What becomes of a record. */
export interface Transition {
  type: ImageType
  id: string
  before: Image | undefined
  after: Image | undefined
  /** Set where it takes details of another person. The audit leaves these out, since that person may be erased alone. */
  tellsOfAnother?: boolean
}

interface ImageTable {
  key: string
  columns: Columns
  /** The members that are not what they were once anybody has changed the record. */
  stamp: string[]
}

/** Only an undo writes it: the earlier version that the present one equals. */
const restoredColumn = { restored: 'jsonb' } as const

/** The tables whose records a batch may make, change and remove, and an undo puts back as they were. */
export const imageTables = {
  users: { key: 'user_id', columns: { ...userColumns, ...restoredColumn }, stamp: ['version', 'mtime'] },
  // Further merges move it along: it is of the same merge all the same.
  merged_users: { key: 'merged_user_id', columns: mergedUserColumns, stamp: ['merge_id'] },
  // A tag that was given anew since stays with whom it was given to.
  user_tags: {
    key: 'entity_id',
    columns: { ...userTagColumns, ...restoredColumn },
    stamp: ['user_id', 'version', 'mtime'],
  },
  user_follow_ups: { key: 'follow_up_id', columns: followUpColumns, stamp: ['user_id'] },
  user_claims: { key: 'user_id', columns: claimColumns, stamp: ['owner_id', 'claimed_at'] },
  order_import_rows: { key: 'external_id', columns: importedRowColumns, stamp: ['row_hash', 'imported_at'] },
  leads: { key: 'lead_id', columns: leadColumns, stamp: ['user_id'] },
} as const satisfies Record<string, ImageTable>

export type ImageType = keyof typeof imageTables
export const imageTypes = Object.keys(imageTables) as ImageType[]

/** Beside the members of a user that was removed: the history that comes back with it. */
export const historyMember = 'history'

/** Members that count changes, beside what a record says. */
export const countingMembers = ['version', 'mtime', 'restored']

/** Written by an undo with the version that it makes: that version equals an earlier one. */
interface Restored {
  version: number
  as: Stamp
}

interface Stamp {
  version: number
  mtime: string
}

/** Undefined once another change has made a further version. */
function restoredIn({ restored, version }: Image): Restored | undefined {
  const one = restored as Restored | null | undefined
  return one && one.version === version ? one : undefined
}

/**
 * A record with the version and the time of its content. An undo makes a new version with earlier content: compared by the
 * stamp of that content, the record counts as untouched.
 */
export function asContent(image: Image): Image {
  const restored = restoredIn(image)
  return restored ? { ...image, ...restored.as } : image
}

/** The stamp of the next version of a record, `count` further; nothing where records of the table have no versions. */
export function nextStamp(type: ImageType, { version, mtime }: Image, now: Date, count = 1): Image {
  if (!('version' in imageTables[type].columns)) return {}
  const time = microsecondsOf(now)
  const isLater = typeof mtime !== 'string' || mtime < time
  return { version: (version as number) + count, mtime: isLater ? time : mtime }
}

/** The same for a version whose content is that of an earlier one. */
export function restoredStamp(type: ImageType, current: Image, content: Image, now: Date, count = 1): Image {
  const next = nextStamp(type, current, now, count)
  if (!('restored' in imageTables[type].columns)) return next
  const { version, mtime } = { ...asContent(current), ...content }
  return { ...next, restored: { version: next.version, as: { version, mtime } } }
}

/** The same content under another version. */
export function asVersion(image: Image, version: number): Image {
  const restored = restoredIn(image)
  return { ...image, version, ...(restored && { restored: { ...restored, version } }) }
}

/** What tells of a record that was made whether anybody has touched it since. */
export function stampOf(type: ImageType, record: object): Image {
  const members = asContent(record as Image)
  return Object.fromEntries(imageTables[type].stamp.map((name) => [name, textOf(members[name])]))
}

function textOf(value: unknown): unknown {
  return value instanceof Date ? microsecondsOf(value) : value
}

/** The text that images have for an instant. */
export function microsecondsOf(time: Date): string {
  return time.toISOString().replace('Z', '000Z')
}
