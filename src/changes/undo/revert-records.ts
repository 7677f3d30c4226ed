import { isDeepStrictEqual } from 'node:util'
import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findClaimRules, holdClaimers } from '../../people/users/claims/claim-store.ts'
import { isHoldable } from '../../people/users/reach.ts'
import type { Person } from '../../people/users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../../people/users/user-plan-store.ts'
import { applyTransitions, lockRecords, type Records, recordIn } from './apply-transitions.ts'
import type { RecordChange } from './change-batch-store.ts'
import { findReferred } from './image-store.ts'
import { asVersion, type ImageType, isCreated, isRemoved, isUpdated, ofType } from './record-images.ts'
import { type AnyRevised, type Revised, revertChange } from './revert-change.ts'
import { giveHistory, moveHistory, revertedMergeOf, takeHistory, versionsOfMerge } from './revert-history.ts'

/** Undoes changes of records inside the transaction, last first. Returns the changes that it made, in their order. */
export async function revertRecords(
  tx: Queryable,
  organization: Organization,
  executor_id: string | null,
  changes: RecordChange[],
  { isMerge }: { isMerge: boolean },
): Promise<RecordChange[]> {
  const now = new Date()
  const { corp_id } = organization
  const revised: Records<Revised> = await lockRecords(tx, corp_id, idsOf(changes))
  for (const change of changes) {
    const record: AnyRevised = recordIn(revised, change.record_type, change.record_id)
    const { image, left } = revertChange(record.type, change, record.after, now)
    record.after = image
    record.left = left ?? record.left
  }
  const records = [...revised.values()]
  await keepReferred(tx, corp_id, records)
  if (isMerge) requireWhole(changes, revised)
  await keepClaims(tx, organization, revised)
  if (isMerge) await dropTakenContacts(tx, corp_id, ofType(records, 'users'))
  else await keepTakenContacts(tx, corp_id, ofType(records, 'users'))
  await takeHistory(tx, corp_id, records)
  const merge = isMerge ? revertedMergeOf(records) : undefined
  if (merge) merge.survivor.copiesAnotherPerson = true
  for (const record of records)
    setVersion(record, merge && record === merge.survivor ? versionsOfMerge(merge) : 1)
  const changed = await applyTransitions(tx, corp_id, records)
  const cause = { at: now, executor_id }
  await (merge ? moveHistory(tx, corp_id, merge, cause) : giveHistory(tx, corp_id, records, cause))
  const leftAlone = records.filter(({ before, after, left }) => before === after && left)
  return [
    ...changed.map((change) => ({
      ...change,
      left_alone: recordIn(revised, change.record_type, change.record_id).left ?? null,
    })),
    ...leftAlone.map(({ type, id, left }) => ({
      record_type: type,
      record_id: id,
      before: null,
      after: null,
      left_alone: left ?? null,
    })),
  ]
}

/**
 * The merged user must come back or leave, as the change says: half a merge would leave a user and its survivor. The user
 * stays if others have changed it or given it records since.
 */
function requireWhole(changes: RecordChange[], revised: Records<Revised>): void {
  const merged = changes.find(
    ({ record_type, before, after }) => record_type === 'users' && (before === null) !== (after === null),
  )
  if (!merged) return
  const { before, after } = recordIn(revised, 'users', merged.record_id)
  if ((before === undefined) !== (after === undefined)) return
  throw mergeAgain(`User ${merged.record_id}`)
}

/** Refuses to undo the end of a merge. */
export function mergeAgain(who: string): ApiError {
  return new ApiError('stateForbids', {
    msg: `${who} was changed since, or has other records. Merge the users again instead.`,
    allowed: ['user/merge'],
    extra: { reason: 'merge_again' },
  })
}

/** Several undone changes of a record make one new version. */
function setVersion(record: AnyRevised, versions: number): void {
  if (!isUpdated(record)) return
  const { before, after } = record
  if ('version' in before && 'version' in after) record.after = asVersion(after, before.version + versions)
}

/** The ids of the changed records, by table. Users and claims are locked together. */
function idsOf(changes: RecordChange[]): Partial<Record<ImageType, string[]>> {
  const ids = new Map<ImageType, Set<string>>()
  for (const { record_type, record_id } of changes) {
    const types: ImageType[] = ['users', 'user_claims']
    for (const type of types.includes(record_type) ? types : [record_type])
      ids.set(type, (ids.get(type) ?? new Set()).add(record_id))
  }
  return Object.fromEntries([...ids].map(([type, each]) => [type, [...each]]))
}

/** A created user stays if leads, orders or tags of other sources refer to it. */
async function keepReferred(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const users = ofType(records, 'users').filter(isRemoved)
  if (users.length === 0) return
  const leaving = records.filter(({ before, after }) => before && userOf(before) !== userOf(after))
  const referred = await findReferred(
    tx,
    corp_id,
    users.map(({ id }) => id),
    (type) => leaving.filter((record) => record.type === type).map(({ id }) => id),
  )
  for (const record of users.filter(({ id }) => referred.has(id))) leave(record, 'others refer to it')
}

function leave(record: AnyRevised, reason: string): void {
  record.after = record.before
  record.left = { reason, members: [] }
}

function userOf(image: object | undefined): unknown {
  return image && 'user_id' in image ? image.user_id : undefined
}

/** A contact that another user has now stays there: the user comes back without it. */
async function dropTakenContacts(tx: Queryable, corp_id: string, users: Revised<'users'>[]): Promise<void> {
  const back = users.filter(isCreated)
  if (back.length === 0) return
  const persons: Person[] = back.map(({ after }) => after)
  const found = namedUsersOf(await tx.query<NamedUserRow>(findNamedUsers(corp_id, persons)))
  const holders = found.users.map((user) => ({
    ...user,
    ...users.find(({ id }) => id === user.user_id)?.after,
  }))
  const sameEmail = (address: string) => found.emailKeys.get(address) ?? address
  for (const record of back) {
    const { area_code, mobile, email } = record.after
    const isNumberTaken = holders.some(
      (user) => mobile && user.area_code === area_code && user.mobile === mobile,
    )
    const isEmailTaken = holders.some(
      (user) => email && user.email && sameEmail(user.email) === sameEmail(email),
    )
    const members = [...(isNumberTaken ? ['area_code', 'mobile'] : []), ...(isEmailTaken ? ['email'] : [])]
    if (members.length === 0) continue
    record.after = { ...record.after, ...Object.fromEntries(members.map((name) => [name, null])) }
    record.left = { reason: 'belongs to another user now', members }
  }
}

const numberMembers = ['area_code', 'mobile'] as const

/** A user keeps its present contact if another user, or a user merged into another one, has the earlier contact now. */
async function keepTakenContacts(tx: Queryable, corp_id: string, users: Revised<'users'>[]): Promise<void> {
  const changing = users
    .filter(isUpdated)
    .filter(({ before, after }) =>
      [...numberMembers, 'email' as const].some((name) => before[name] !== after[name]),
    )
  if (changing.length === 0) return
  const persons: Person[] = changing.map(({ after: { area_code, mobile, email } }) => ({
    area_code,
    mobile,
    email,
  }))
  const {
    users: found,
    merged,
    emailKeys,
  } = namedUsersOf(await tx.query<NamedUserRow>(findNamedUsers(corp_id, persons)))
  const keyOf = (email: string | null | undefined) => (email ? (emailKeys.get(email) ?? email) : null)
  for (const record of changing) {
    const { before, after } = record
    const isNumberTaken = [...found, ...merged].some(
      (other) =>
        other.user_id !== record.id &&
        after.mobile !== null &&
        other.area_code === after.area_code &&
        other.mobile === after.mobile,
    )
    const isEmailTaken = [
      ...found.map(({ user_id, email }) => ({ user_id, key: keyOf(email) })),
      ...merged.map(({ user_id, email_key }) => ({ user_id, key: email_key })),
    ].some(({ user_id, key }) => user_id !== record.id && key !== null && key === keyOf(after.email))
    const members = [...(isNumberTaken ? numberMembers : []), ...(isEmailTaken ? (['email'] as const) : [])]
    if (members.length === 0) continue
    const kept = { ...after, ...Object.fromEntries(members.map((name) => [name, before[name]])) }
    const { version, mtime, restored } = before
    record.after = isDeepStrictEqual({ ...kept, version, mtime, restored }, before) ? before : kept
    record.left = { reason: 'belongs to another user now', members: [...members] }
  }
}

/**
 * Keeps users and their claims consistent. A claimed user stays in its pool and with its holder. A claim comes back only
 * to a user whom its owner can hold, and only within the owner's limit. The records have the user of every claim.
 */
async function keepClaims(
  tx: Queryable,
  organization: Organization,
  records: Records<Revised>,
): Promise<void> {
  const claims = ofType([...records.values()], 'user_claims')
  for (const claim of claims) {
    if (!claim.after) continue
    const user = recordIn(records, 'users', claim.id)
    if (claim.before) keepHeld(user, claim.before.owner_id)
    else if (!user.after || !isHoldable(organization, user.after, claim.after.owner_id))
      leaveEnded(claim, 'its owner cannot hold the user in its pool')
  }
  await keepWithinLimit(tx, organization.corp_id, claims)
}

/** Another claim on the user was made since: the undo moves the user neither from its pool nor from its holder. */
function keepHeld(user: Revised<'users'>, holder: string): void {
  const { before, after } = user
  if (!before || !after || before === after) return
  const [were, are] = [before.owner_ids, after.owner_ids]
  const members = [
    ...(after.pool === before.pool ? [] : ['pool']),
    ...(were.includes(holder) && !are.includes(holder) ? ['owner_ids'] : []),
  ]
  if (members.length === 0) return
  const owner_ids = [
    ...are.filter((owner) => !were.includes(owner)),
    ...were.filter((owner) => owner === holder || are.includes(owner)),
  ]
  const kept = { ...after, pool: before.pool, owner_ids }
  const { version, mtime, restored } = before
  const isPutBack =
    user.left !== undefined && !isDeepStrictEqual({ ...kept, version, mtime, restored }, before)
  user.after = isPutBack ? kept : before
  user.left = { reason: 'was claimed since', members: [...(user.left?.members ?? []), ...members] }
}

/** Counts under the locks of the owners, as claiming does. A claim that the undo ends makes room for another one. */
async function keepWithinLimit(
  tx: Queryable,
  corp_id: string,
  claims: Revised<'user_claims'>[],
): Promise<void> {
  const back = claims.filter(isCreated)
  if (back.length === 0) return
  const { most_held } = await findClaimRules(tx, corp_id)
  if (most_held === null) return
  const owners = back.map(({ after }) => after.owner_id)
  const room = new Map<string, number>()
  for (const [owner, users] of await holdClaimers(tx, corp_id, owners))
    room.set(owner, Math.max(0, most_held - users))
  const roomOf = (owner: string) => room.get(owner) ?? 0
  for (const { before } of claims.filter(isRemoved)) room.set(before.owner_id, roomOf(before.owner_id) + 1)
  for (const claim of back) {
    const owner = claim.after.owner_id
    if (roomOf(owner) > 0) room.set(owner, roomOf(owner) - 1)
    else leaveEnded(claim, 'its owner holds as many users as allowed')
  }
}

function leaveEnded(claim: Revised<'user_claims'>, reason: string): void {
  claim.after = claim.before
  claim.left = { reason, members: [] }
}
