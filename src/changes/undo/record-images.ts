import type { Columns, NewRow } from '../../database/insert-rows.ts'
import { payerColumns } from '../../orders/payers/payer-store.ts'
import { leadColumns } from '../../people/leads/lead-store.ts'
import { userTagColumns } from '../../people/user-tags/user-tag-store.ts'
import { claimColumns } from '../../people/users/claims/claim-store.ts'
import { followUpColumns } from '../../people/users/follow-ups/follow-up-store.ts'
import { mergedUserColumns } from '../../people/users/merged-user-store.ts'
import type { UserEvent } from '../../people/users/user-event-store.ts'
import { userColumns } from '../../people/users/user-store.ts'
import { importedRowColumns } from '../order-import/import-lookup-store.ts'

/** How a table is restored by an undo. */
interface ImageTable<C extends Columns> {
  key: keyof C & string
  columns: C
  /** The columns that are `not null` in the schema. */
  required: readonly (keyof C & string)[]
  /** The members that differ as soon as another change touches the record. */
  stamp: readonly (keyof C & string)[]
}

function table<const C extends Columns, const Required extends readonly (keyof C & string)[]>(
  definition: ImageTable<C> & { required: Required },
) {
  return definition
}

/** Only an undo writes this column. */
const restoredColumn = { restored: 'jsonb' } as const

/** The tables whose records a batch creates, changes and removes, and an undo restores. Other tables refer to users. */
export const imageTables = {
  users: table({
    key: 'user_id',
    columns: { ...userColumns, ...restoredColumn },
    required: ['user_id', 'attributes', 'owner_ids', 'pool', 'is_verified', 'ctime', 'mtime', 'version'],
    stamp: ['version', 'mtime'],
  }),
  merged_users: table({
    key: 'merged_user_id',
    columns: mergedUserColumns,
    required: ['merged_user_id', 'user_id', 'merge_id'],
    // A later merge of the survivor changes `user_id`, but not the merge that the record belongs to.
    stamp: ['merge_id'],
  }),
  user_tags: table({
    key: 'entity_id',
    columns: { ...userTagColumns, ...restoredColumn },
    required: [
      ...(['entity_id', 'user_id', 'tags_group_id', 'attribute', 'source', 'executor_id'] as const),
      ...(['is_deleted', 'ctime', 'mtime', 'version'] as const),
    ],
    // A tag that was assigned again since then stays with its present user.
    stamp: ['user_id', 'version', 'mtime'],
  }),
  user_follow_ups: table({
    key: 'follow_up_id',
    columns: followUpColumns,
    required: ['follow_up_id', 'user_id', 'content', 'executor_id', 'ctime', 'is_open'],
    stamp: ['user_id'],
  }),
  user_claims: table({
    key: 'user_id',
    columns: claimColumns,
    required: ['user_id', 'owner_id', 'claimed_at', 'active_at'],
    stamp: ['owner_id', 'claimed_at'],
  }),
  order_import_rows: table({
    key: 'external_id',
    columns: importedRowColumns,
    required: ['external_id', 'order_id', 'row_hash', 'members', 'imported_at'],
    stamp: ['row_hash', 'imported_at'],
  }),
  leads: table({
    key: 'lead_id',
    columns: leadColumns,
    required: ['lead_id', 'user_id', 'app_id', 'fields', 'ctime', 'mtime', 'version'],
    stamp: ['user_id'],
  }),
  payers: table({
    key: 'payer_id',
    columns: payerColumns,
    required: ['payer_id', 'kind', 'name', 'ctime', 'mtime', 'version'],
    stamp: ['user_id'],
  }),
}

type Tables = typeof imageTables
export type ImageType = keyof Tables
// Object.keys is typed as string[]; the keys of this constant are exactly its members.
export const imageTypes = Object.keys(imageTables) as ImageType[]

type CellOf<C extends Columns, Name extends keyof C> = Name extends 'restored'
  ? Restored
  : C[Name] extends 'timestamptz'
    ? string
    : NonNullable<NewRow<C>[Name]>

type RowOf<C extends Columns, Required> = {
  [Name in keyof C]: CellOf<C, Name> | (Name extends Required ? never : null)
}

/** The history of a removed user is stored with its image and comes back with the user. */
type Extras<T extends ImageType> = T extends 'users' ? { history?: UserEvent[] } : unknown

/** A whole record of a table. Instants are texts, to keep their microseconds. */
export type Image<T extends ImageType = ImageType> = {
  [K in T]: RowOf<Tables[K]['columns'], Tables[K]['required'][number]> & Extras<K>
}[T]

/** The members that all generic code knows of an image. */
export interface AnyImage {
  version?: number
  mtime?: string
  restored?: Restored | null
  [member: string]: unknown
}

export interface TransitionOf<T extends ImageType> {
  type: T
  id: string
  before: Image<T> | undefined
  after: Image<T> | undefined
  /** The record takes details of another person. The audit omits them, because that person may be erased alone. */
  copiesAnotherPerson?: boolean
}

/** A record before and after a change; undefined where it does not exist. */
export type Transition<T extends ImageType = ImageType> = { [K in T]: TransitionOf<K> }[T]

/** The transitions of one table. */
export function ofType<T extends ImageType, R extends Transition>(
  records: R[],
  type: T,
): Extract<R, { type: T }>[] {
  const isOfType = (record: R): record is Extract<R, { type: T }> => record.type === type
  return records.filter(isOfType)
}

export function isCreated<R extends TransitionOf<ImageType>>(
  record: R,
): record is R & { before: undefined; after: object } {
  return !record.before && record.after !== undefined
}

export function isRemoved<R extends TransitionOf<ImageType>>(
  record: R,
): record is R & { before: object; after: undefined } {
  return record.before !== undefined && !record.after
}

/** The record exists before and after. */
export function isUpdated<R extends TransitionOf<ImageType>>(
  record: R,
): record is R & { before: object; after: object } {
  return record.before !== undefined && record.after !== undefined && record.before !== record.after
}

/** Members that count changes and carry no content. */
export const countingMembers = ['version', 'mtime', 'restored']

interface Stamp {
  version: number
  mtime: string
}

/** Stored by an undo: `version` has the content of the earlier version `as`. */
interface Restored {
  version: number
  as: Stamp
}

/** Undefined after a further change, which made another version. */
function restoredIn({ restored, version }: AnyImage): Restored | undefined {
  return restored && restored.version === version ? restored : undefined
}

/**
 * A record with the version and time of its content. An undo makes a new version with earlier content. Compared by the
 * stamp of that content, the record counts as untouched.
 */
export function asContent<I extends AnyImage>(image: I): I {
  const restored = restoredIn(image)
  return restored ? { ...image, ...restored.as } : image
}

function stampIn({ version, mtime }: AnyImage): Stamp | undefined {
  return version === undefined || mtime === undefined ? undefined : { version, mtime }
}

/** The stamp of a later version of a record; undefined for tables without versions. */
export function nextStamp(image: AnyImage, now: Date, count = 1): Stamp | undefined {
  const stamp = stampIn(image)
  if (!stamp) return undefined
  const time = microsecondsOf(now)
  return { version: stamp.version + count, mtime: stamp.mtime < time ? time : stamp.mtime }
}

/** The stamp of a later version that has the content of an earlier one. */
export function restoredStamp(
  type: ImageType,
  current: AnyImage,
  content: AnyImage,
  now: Date,
  count = 1,
): (Stamp & { restored?: Restored }) | undefined {
  const next = nextStamp(current, now, count)
  const as = stampIn({ ...asContent(current), ...content })
  if (!next || !as || !('restored' in imageTables[type].columns)) return next
  return { ...next, restored: { version: next.version, as } }
}

/** The same content under another version. */
export function asVersion<I extends AnyImage>(image: I, version: number): I {
  const restored = restoredIn(image)
  return { ...image, version, ...(restored && { restored: { ...restored, version } }) }
}

/** The members that show whether a created record was touched since then. */
export function stampOf<T extends ImageType>(type: T, record: object): Partial<Image<T>> {
  const members: AnyImage = asContent({ ...record })
  const stamp = imageTables[type].stamp.map((name) => [name, textOf(members[name])])
  // The names are columns of the table.
  return Object.fromEntries(stamp) as Partial<Image<T>>
}

function textOf(value: unknown): unknown {
  return value instanceof Date ? microsecondsOf(value) : value
}

/** An instant as images store it. */
export function microsecondsOf(time: Date): string {
  return time.toISOString().replace('Z', '000Z')
}
