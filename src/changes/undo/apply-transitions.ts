import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import type { Change } from './change-batch-store.ts'
import { deleteImages, insertImages, lockImages, releaseContacts, updateImages } from './image-store.ts'
import { noteTransitions } from './note-transitions.ts'
import { type Image, type ImageType, imageTables, imageTypes, type Transition } from './record-images.ts'
import { changeBetween } from './revert-change.ts'

/** Locks records and reads them, each as a transition to what it is already. */
export async function lockRecords(
  tx: Queryable,
  corp_id: string,
  named: { type: ImageType; id: string }[],
): Promise<Map<string, Transition>> {
  const records = new Map<string, Transition>()
  for (const { type, id } of named)
    records.set(keyOf(type, id), { type, id, before: undefined, after: undefined })
  if (records.size === 0) return records
  const types = imageTypes.filter((type) => named.some((record) => record.type === type))
  const idsOf = (type: ImageType) => named.filter((record) => record.type === type).map(({ id }) => id)
  const found = await tx.pipeline<Image[]>(types.map((type) => lockImages(corp_id, type, idsOf(type))))
  for (const [index, type] of types.entries()) {
    for (const image of found[index]!) {
      const record = records.get(keyOf(type, image[imageTables[type].key] as string))!
      record.before = image
      record.after = image
    }
  }
  return records
}

export function keyOf(type: string, id: string): string {
  return `${type} ${id}`
}

/**
 * Makes records what they are to be, and brings up to date what is kept beside them; answers the changes in the order in
 * which they were made. Users come first and go last, since the other records refer to them.
 */
export async function applyTransitions(
  tx: Queryable,
  corp_id: string,
  records: Transition[],
): Promise<Change[]> {
  const changing = records.filter(({ before, after }) => before !== after)
  const users = changing.filter(({ type }) => type === 'users')
  const others = imageTypes.slice(1).map((type) => changing.filter((record) => record.type === type))
  const changedUsers = users.filter(isChanged)
  await releaseContacts(tx, corp_id, changedUsers.filter(exchangesContacts).map(idOf))
  for (const each of others) await remove(tx, corp_id, each.filter(isGone))
  await insertImages(tx, corp_id, 'users', users.filter(isMade).map(imageOf))
  for (const each of others) {
    const type = each[0]?.type
    if (type === undefined) continue
    await updateImages(tx, corp_id, type, each.filter(isChanged).map(imageOf))
    await insertImages(tx, corp_id, type, each.filter(isMade).map(imageOf))
  }
  await remove(tx, corp_id, users.filter(isGone))
  await updateImages(tx, corp_id, 'users', changedUsers.map(imageOf))
  await noteTransitions(tx, corp_id, changing)
  // Rows of orders from files come with their orders; what they say is of nobody by id, and could not be forgotten.
  tx.note(...changing.filter(({ type }) => type !== 'order_import_rows').map(noteOf))
  // A claim is noted before its user where it ends, and behind where it is made: taken back in parts, both are in step.
  const isNewClaim = (record: Transition) => record.type === 'user_claims' && isMade(record)
  const along = others.flat()
  const inOrder = [
    ...[...users.filter(isMade), ...along.filter((record) => !isNewClaim(record))],
    ...[...users.filter(isGone), ...changedUsers, ...along.filter(isNewClaim)],
  ]
  return inOrder.map(({ type, id, before, after }) => changeBetween(type, id, before, after))
}

function noteOf({ type, id, before, after, tellsOfAnother = false }: Transition): AuditNote {
  const told = (image: Image | undefined) => image && { ...image, restored: null }
  return {
    ...{ record_type: type, record_id: id, omitsPersonal: tellsOfAnother },
    ...{ before: told(before), after: told(after) },
    // The contacts of a merged user are not the survivor's.
    person_id: type === 'merged_users' ? id : ((after ?? before)!.user_id as string | undefined),
  }
}

const isMade = ({ before, after }: Transition) => before === undefined && after !== undefined
const isGone = ({ before, after }: Transition) => before !== undefined && after === undefined
const isChanged = ({ before, after }: Transition) => before !== undefined && after !== undefined
const idOf = ({ id }: Transition) => id
const imageOf = ({ after }: Transition) => after!

async function remove(tx: Queryable, corp_id: string, records: Transition[]): Promise<void> {
  const [first] = records
  if (first) await deleteImages(tx, corp_id, first.type, records.map(idOf))
}

function exchangesContacts({ before, after }: Transition): boolean {
  return ['area_code', 'mobile', 'email'].some((name) => before![name] !== after![name])
}
