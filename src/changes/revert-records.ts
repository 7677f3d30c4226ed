import type { Organization } from '../contract/caller.ts'
import type { Queryable } from '../database/database.ts'
import { insertingEvents, takeEventsAbove, type UserEvent } from '../users/user-event-store.ts'
import type { Person } from '../users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../users/user-plan-store.ts'
import { applyTransitions, keyOf, lockRecords } from './apply-transitions.ts'
import type { Change } from './change-batch-store.ts'
import { findReferred } from './image-store.ts'
import { keepClaims } from './keep-claims.ts'
import { historyMember, type Image, type ImageType } from './record-images.ts'
import { changeBetween, type Revised, revertChange } from './revert-change.ts'

/** Takes changes of records back, last first, in the transaction; answers what that changed, in the order it was done. */
export async function revertRecords(
  {
    db: tx,
    organization,
    executor_id,
  }: { db: Queryable; organization: Organization; executor_id: string | null },
  changes: Change[],
  { dropsTakenContacts }: { dropsTakenContacts: boolean },
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
  if (dropsTakenContacts) await dropTakenContacts(tx, corp_id, records)
  await takeHistory(tx, corp_id, records)
  const changed = await applyTransitions(tx, corp_id, records)
  await giveHistory(tx, corp_id, records, { at: now, executor_id })
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

/**
 * The history of a user that becomes an earlier version ends there. What is taken from it is kept with the record of the
 * change, to come back with it.
 */
async function takeHistory(tx: Queryable, corp_id: string, records: Revised[]): Promise<void> {
  const earlier = records.flatMap(({ type, id, before, after }) => {
    const [was, is] = [versionOf(before), versionOf(after)]
    return type === 'users' && is < was ? [{ user_id: id, version: is }] : []
  })
  const events = await takeEventsAbove(tx, corp_id, earlier)
  if (events.length === 0) return
  for (const record of records) {
    const own = record.type === 'users' ? events.filter(({ user_id }) => user_id === record.id) : []
    if (own.length > 0) record.before = { ...record.before, [historyMember]: own }
  }
}

/** What comes back with its record, and what is a change of its own. */
async function giveHistory(
  tx: Queryable,
  corp_id: string,
  records: Revised[],
  { at, executor_id }: { at: Date; executor_id: string | null },
): Promise<void> {
  const users = records.filter(({ type, before, after }) => type === 'users' && after && before !== after)
  const events = users.flatMap(({ type, id, before, after, left }): UserEvent[] => {
    const kept = after![historyMember] as UserEvent[] | undefined
    if (kept) return kept
    if (!before || !left) return []
    const change = changeBetween(type, id, before, after)
    const cause = { at, event: 'undone' as const, owner_id: null, executor_id }
    return [
      { ...cause, user_id: id, version: versionOf(after), before: change.before!, after: change.after! },
    ]
  })
  await tx.pipeline(insertingEvents(corp_id, events))
}

function versionOf(image: Image | undefined): number {
  return (image?.version as number | undefined) ?? 0
}
