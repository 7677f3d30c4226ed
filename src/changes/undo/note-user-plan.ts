import type { Queryable } from '../../database/database.ts'
import type { AccompanyingWrites } from '../../people/users/project-users.ts'
import type { UserPlan } from '../../people/users/user-plan.ts'
import { storeUserPlan } from '../../people/users/user-plan-store.ts'
import { lockRecords, recordIn } from './apply-transitions.ts'
import type { RecordChange } from './change-batch-store.ts'
import { stampOf } from './record-images.ts'
import { changeBetween } from './revert-change.ts'

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
