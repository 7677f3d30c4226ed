import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import type { AccompanyingWrites } from '../../people/users/project-users.ts'
import type { UserPlan } from '../../people/users/user-plan.ts'
import { storeUserPlan } from '../../people/users/user-plan-store.ts'
import type { RecordChange } from './change-batch-store.ts'
import { deleteImages, idOf, insertImages, lockImages, releaseContacts, updateImages } from './image-store.ts'
import { noteTransitions } from './note-transitions.ts'
import {
  type Image,
  type ImageType,
  imageTypes,
  isCreated,
  isRemoved,
  isUpdated,
  ofType,
  stampOf,
  type Transition,
} from './record-images.ts'
import { changeBetween } from './revert-change.ts'

/** Records by table and id. */
export type Records<R extends Transition = Transition> = Map<string, R>

function keyOf(type: ImageType, id: string): string {
  return `${type} ${id}`
}

export function recordIn<T extends ImageType, R extends Transition>(
  records: Records<R>,
  type: T,
  id: string,
): Extract<R, { type: T }> {
  const record = records.get(keyOf(type, id))
  if (!record) throw new Error(`Record ${id} of ${type} was not locked.`)
  // The key starts with the type.
  return record as Extract<R, { type: T }>
}

/** Locks records and reads them. Each is a transition without a change. */
export async function lockRecords(
  tx: Queryable,
  corp_id: string,
  idsByType: Partial<Record<ImageType, string[]>>,
): Promise<Records> {
  const records: Records = new Map()
  const types = imageTypes.filter((type) => idsByType[type]?.length)
  const found = await tx.pipeline<Image[]>(
    types.map((type) => lockImages(corp_id, type, idsByType[type] ?? [])),
  )
  for (const [index, type] of types.entries()) {
    const images = new Map(found[index]?.map((image) => [idOf(type, image), image]))
    for (const id of idsByType[type] ?? []) {
      const image = images.get(id)
      // The image was read from the table of this type.
      records.set(keyOf(type, id), { type, id, before: image, after: image } as Transition)
    }
  }
  return records
}

/**
 * Writes changed records and the data derived from them. Returns the changes in the order in which they were made. Users
 * are created first and removed last, because the other records refer to them.
 */
export async function applyTransitions(
  tx: Queryable,
  corp_id: string,
  records: Transition[],
): Promise<RecordChange[]> {
  const changing = records.filter(({ before, after }) => before !== after)
  const users = ofType(changing, 'users')
  const updatedUsers = users.filter(isUpdated)
  const others = changing.filter(({ type }) => type !== 'users')
  const tables = [...Map.groupBy(others, ({ type }) => type)].sort(
    ([a], [b]) => imageTypes.indexOf(a) - imageTypes.indexOf(b),
  )
  const exchanging = updatedUsers.filter(({ before, after }) =>
    (['area_code', 'mobile', 'email'] as const).some((name) => before[name] !== after[name]),
  )
  await releaseContacts(tx, corp_id, idsOf(exchanging))
  for (const [type, each] of tables) await deleteImages(tx, corp_id, type, idsOf(each.filter(isRemoved)))
  await insertImages(tx, corp_id, 'users', imagesAfter(users.filter(isCreated)))
  for (const [type, each] of tables) {
    await updateImages(tx, corp_id, type, imagesAfter(each.filter(isUpdated)))
    await insertImages(tx, corp_id, type, imagesAfter(each.filter(isCreated)))
  }
  await deleteImages(tx, corp_id, 'users', idsOf(users.filter(isRemoved)))
  await updateImages(tx, corp_id, 'users', imagesAfter(updatedUsers))
  await noteTransitions(tx, corp_id, changing)
  // The audit of orders covers imported rows. Rows name no person by id, so an erasure could not find them there.
  tx.note(...changing.filter(({ type }) => type !== 'order_import_rows').map(noteOf))
  const sorted = tables.flatMap(([, each]) => each)
  return inOrder(users, sorted).map(({ type, id, before, after }) => changeBetween(type, id, before, after))
}

function idsOf(records: { id: string }[]): string[] {
  return records.map(({ id }) => id)
}

function imagesAfter<R extends { after: object }>(records: R[]): R['after'][] {
  return records.map(({ after }) => after)
}

/** The end of a claim is noted before its user and a new claim after it, so that a partial undo keeps both consistent. */
function inOrder(users: Transition<'users'>[], others: Transition[]): Transition[] {
  const isNewClaim = (record: Transition) => record.type === 'user_claims' && isCreated(record)
  return [
    ...users.filter(isCreated),
    ...others.filter((record) => !isNewClaim(record)),
    ...users.filter(isRemoved),
    ...users.filter(isUpdated),
    ...others.filter(isNewClaim),
  ]
}

function noteOf({ type, id, before, after, copiesAnotherPerson = false }: Transition): AuditNote {
  const image = after ?? before
  const noted = (each: Image | undefined) => each && { ...each, restored: null }
  return {
    record_type: type,
    record_id: id,
    omitsPersonal: copiesAnotherPerson,
    before: noted(before),
    after: noted(after),
    // The contacts in `merged_users` belong to the merged user, not to the survivor.
    person_id: (type !== 'merged_users' && image && 'user_id' in image ? image.user_id : null) ?? id,
  }
}

/** Stores planned users and the records that arrive with them. Returns the changes of users. */
export async function storeNotedUserPlan(
  tx: Queryable,
  corp_id: string,
  users: UserPlan,
  along?: AccompanyingWrites,
): Promise<RecordChange<'users'>[]> {
  const filled = [...users.filled.keys()].toSorted()
  const before = await lockRecords(tx, corp_id, { users: filled })
  await storeUserPlan(tx, corp_id, users, along)
  const after = await lockRecords(tx, corp_id, { users: filled })
  const changed = filled
    .map((id) =>
      changeBetween('users', id, recordIn(before, 'users', id).before, recordIn(after, 'users', id).after),
    )
    .filter((change) => Object.keys(change.after ?? {}).length > 0)
  const created = [...users.made.values()].map(({ user_id, now }) => ({
    record_type: 'users' as const,
    record_id: user_id,
    before: null,
    after: stampOf('users', { version: 1, mtime: now }),
  }))
  return [...changed, ...created]
}
