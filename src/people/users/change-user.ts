import { ApiError } from '../../contract/errors.ts'
import type { Reach } from '../../contract/guard.ts'
import { namesOf } from '../../contract/record-of.ts'
import type { Queryable } from '../../database/database.ts'
import { projectUsers } from './project-users.ts'
import { requireReach } from './reach.ts'
import { eventOf, insertingEvents, type UserEvent } from './user-event-store.ts'
import {
  type ChangeableMember,
  lockFreeUsers,
  lockUsers,
  type StoredUser,
  type UserKey,
  updateUsers,
} from './user-store.ts'

/** The user to change, with the executor and the time. */
export interface Changer extends UserKey {
  db: Queryable
  executor_id: string | null
  now: Date
  /** The users that the executor may change. */
  reach: Reach
}

/** The change that a rule makes; undefined: no change. */
export interface UserChange {
  event: UserEvent['event']
  /** The owner that the event is about. */
  owner_id?: string
  /** The previous holder, unless the name of the event says that it ends a claim. */
  holder_id?: string | undefined
  set: Partial<Pick<StoredUser, ChangeableMember>>
}

export type UserRule = (
  user: StoredUser,
  tx: Queryable,
) => Promise<UserChange | undefined> | UserChange | undefined

/**
 * Changes a user in one transaction: locks it, applies a rule, and stores the change, its event and the derived data. A rule
 * that throws changes nothing. Returns the user after the change.
 */
export async function changeUser(changer: Changer, rule: UserRule): Promise<StoredUser> {
  return changer.db.transaction(async (tx) => {
    const [user] = await tx.query<StoredUser>(lockUsers(changer.corp_id, [changer.user_id]))
    if (!user) throw new ApiError('userNotFound')
    return applyRule(tx, changer, user, rule)
  })
}

/** The same, unless another transaction has locked the user. */
export async function changeUserIfFree(changer: Changer, rule: UserRule): Promise<StoredUser | undefined> {
  return changer.db.transaction(async (tx) => {
    const [user] = await tx.query<StoredUser>(lockFreeUsers(changer.corp_id, [changer.user_id]))
    return user && applyRule(tx, changer, user, rule)
  })
}

async function applyRule(
  tx: Queryable,
  { corp_id, executor_id, now, reach }: Changer,
  user: StoredUser,
  rule: UserRule,
): Promise<StoredUser> {
  requireReach(reach, user)
  const change = await rule(user, tx)
  if (!change) return user
  const { event, set, ...about } = change
  const after = { ...user, ...set, version: user.version + 1 }
  await tx.pipeline([
    updateUsers(corp_id, [after], namesOf(set), now),
    ...insertingEvents(corp_id, [eventOf(event, user, after, { at: now, executor_id, ...about })]),
  ])
  tx.note({ record_type: 'users', record_id: user.user_id, person_id: user.user_id, before: user, after })
  await projectUsers(tx, corp_id, [{ before: user, after }])
  return after
}
