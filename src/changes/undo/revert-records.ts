import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import type { Person } from '../../people/users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../../people/users/user-plan-store.ts'
import { applyTransitions, keyOf, lockRecords } from './apply-transitions.ts'
import type { Change } from './change-batch-store.ts'
import { findReferred } from './image-store.ts'
import { keepClaims } from './keep-claims.ts'
import { asVersion, type ImageType } from './record-images.ts'
import { type Revised, revertChange } from './revert-change.ts'
import { giveHistory, moveHistory, revertedMergeOf, takeHistory, versionsOfMerge } from './revert-history.ts'

/** Takes changes of records back, last first, in the transaction; answers what that changed, in the order it was done. */
export async function revertRecords(
  {
    db: tx,
    organization,
    executor_id,
  }: { db: Queryable; organization: Organization; executor_id: string | null },
  changes: Change[],
  { isMerge }: { isMerge: boolean },
): Promise<Change[]> {
  const now = new Date()
  const { corp_id } = organization
  const named = changes.flatMap(({ record_type, record_id }) =>
    withClaim(record_type as ImageType, record_id),
  )
  const revised: Map<string, Revised> = await lockRecords(tx, corp_id, named)
  for (const change of changes) {
    const record = revised.get(keyOf(change.record_type, change.record_id))!
    const { image, left } = revertChange(record.type, change, record.after, now)
    record.after = image
    record.left = left ?? record.left
  }
  const records = [...revised.values()]
  await keepReferred(tx, corp_id, records)
  await keepClaims(tx, organization, records)
  if (isMerge) await dropTakenContacts(tx, corp_id, records)
  await takeHistory(tx, corp_id, records)
  const merge = isMerge ? revertedMergeOf(records) : undefined
  if (merge) merge.survivor.tellsOfAnother = true
  for (const record of records)
    countOnce(record, merge && record === merge.survivor ? versionsOfMerge(merge) : 1)
  const changed = await applyTransitions(tx, corp_id, records)
  const cause = { at: now, executor_id }
  await (merge ? moveHistory(tx, corp_id, merge, cause) : giveHistory(tx, corp_id, records, cause))
  const isLeft = records.filter(({ before, after, left }) => before === after && left)
  return [
    ...changed.map((change) => ({
      ...change,
      left_alone: revised.get(keyOf(change.record_type, change.record_id))!.left ?? null,
    })),
    ...isLeft.map(({ type, id, left }) => ({
      ...{ record_type: type, record_id: id, before: null, after: null, left_alone: left! },
    })),
  ]
}

/** Several changes of a record that are taken back together are one change of it. */
function countOnce(record: Revised, versions: number): void {
  const { before, after } = record
  if (!before || !after || before === after || after.version === undefined) return
  record.after = asVersion(after, (before.version as number) + versions)
}

/** Users and the claims on them are looked at together. */
function withClaim(type: ImageType, id: string): { type: ImageType; id: string }[] {
  const isEither = type === 'users' || type === 'user_claims'
  const types: ImageType[] = isEither ? ['users', 'user_claims'] : [type]
  return types.map((each) => ({ type: each, id }))
}

/** A user that was made may have come by leads, orders or tags of others. */
async function keepReferred(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const users = records.filter(({ type, before, after }) => type === 'users' && before && !after)
  if (users.length === 0) return
  const leaving = records.filter(({ before, after }) => before && before.user_id !== after?.user_id)
  const referred = await findReferred(
    tx,
    corp_id,
    users.map(({ id }) => id),
    (type) => leaving.filter((record) => record.type === type).map(({ id }) => id),
  )
  for (const record of users) {
    if (!referred.has(record.id)) continue
    record.after = record.before
    record.left = { reason: 'others refer to it', members: [] }
  }
}

/** A contact that was given to somebody else since stays there: the user comes back without it. */
async function dropTakenContacts(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const users = records.filter(({ type }) => type === 'users')
  const back = users.filter(({ before, after }) => !before && after)
  if (back.length === 0) return
  const persons = back.map(({ after }) => after as Person)
  const found = namedUsersOf(await tx.query<NamedUserRow>(findNamedUsers(corp_id, persons)))
  const holders = found.users.map((user) => ({
    ...user,
    ...(users.find(({ id }) => id === user.user_id)?.after as Person | undefined),
  }))
  for (const record of back) {
    const { area_code, mobile, email } = record.after as Person
    const keyOf = (address: string) => found.emailKeys.get(address) ?? address
    const isNumberTaken = holders.some(
      (user) => mobile && user.area_code === area_code && user.mobile === mobile,
    )
    const isEmailTaken = holders.some((user) => email && user.email && keyOf(user.email) === keyOf(email))
    const members = [...(isNumberTaken ? ['area_code', 'mobile'] : []), ...(isEmailTaken ? ['email'] : [])]
    if (members.length === 0) continue
    record.after = { ...record.after, ...Object.fromEntries(members.map((name) => [name, null])) }
    record.left = { reason: 'belongs to another user now', members }
  }
}
