import type { Columns } from '../database/insert-rows.ts'
import { leadColumns } from '../leads/lead-store.ts'
import { importedRowColumns } from '../order-import/import-write-store.ts'
import { userTagColumns } from '../user-tags/user-tag-store.ts'
import { claimColumns } from '../users/claims/claim-store.ts'
import { followUpColumns } from '../users/follow-ups/follow-up-store.ts'
import { mergedUserColumns } from '../users/merged-user-store.ts'
import { userColumns } from '../users/user-store.ts'

/** A record as it stands in its table, or some members of it. Instants are texts with their microseconds. */
export type Image = Record<string, unknown>

/** What becomes of a record. */
export interface Transition {
  type: ImageType
  id: string
  before: Image | undefined
  after: Image | undefined
}

interface ImageTable {
  key: string
  columns: Columns
  /** The members that are not what they were once anybody has changed the record. */
  stamp: string[]
}

/** The tables whose records a batch may make, change and remove, and an undo puts back as they were. */
export const imageTables = {
  users: { key: 'user_id', columns: userColumns, stamp: ['version', 'mtime'] },
  // Further merges move it along: it is of the same merge all the same.
  merged_users: { key: 'merged_user_id', columns: mergedUserColumns, stamp: ['merge_id'] },
  // A tag that was given anew since stays with whom it was given to.
  user_tags: { key: 'entity_id', columns: userTagColumns, stamp: ['user_id', 'version', 'mtime'] },
  user_follow_ups: { key: 'follow_up_id', columns: followUpColumns, stamp: ['user_id'] },
  user_claims: { key: 'user_id', columns: claimColumns, stamp: ['owner_id', 'claimed_at'] },
  order_import_rows: { key: 'external_id', columns: importedRowColumns, stamp: ['row_hash', 'imported_at'] },
  leads: { key: 'lead_id', columns: leadColumns, stamp: ['user_id'] },
} as const satisfies Record<string, ImageTable>

export type ImageType = keyof typeof imageTables
export const imageTypes = Object.keys(imageTables) as ImageType[]

/** Beside the members of a user that an undo has changed or removed: the history that comes back with it. */
export const historyMember = 'history'

/** What tells of a record that was made whether anybody has touched it since. */
export function stampOf(type: ImageType, record: object): Image {
  const members = record as Image
  return Object.fromEntries(imageTables[type].stamp.map((name) => [name, textOf(members[name])]))
}

function textOf(value: unknown): unknown {
  return value instanceof Date ? microsecondsOf(value) : value
}

/** The text that images have for an instant. */
export function microsecondsOf(time: Date): string {
  return time.toISOString().replace('Z', '000Z')
}
