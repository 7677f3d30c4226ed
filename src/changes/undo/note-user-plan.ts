import type { Queryable } from '../../database/database.ts'
import type { Alongside } from '../../people/users/note-users.ts'
import type { UserPlan } from '../../people/users/user-plan.ts'
import { storeUserPlan } from '../../people/users/user-plan-store.ts'
import type { Change } from './change-batch-store.ts'
import { lockImages } from './image-store.ts'
import { type Image, stampOf } from './record-images.ts'
import { changeBetween } from './revert-change.ts'

/** Stores users as planned, and what they came with; answers what that changed. Those that are there already are looked at before and after. */
export async function storeNotedUserPlan(
  tx: Queryable,
  corp_id: string,
  users: UserPlan,
  along?: Alongside,
): Promise<Change[]> {
  const filled = [...users.filled.keys()].toSorted()
  const look = () => (filled.length > 0 ? tx.query<Image>(lockImages(corp_id, 'users', filled)) : [])
  const before = await look()
  await storeUserPlan(tx, corp_id, users, along)
  const after = await look()
  const changed = before
    .map((image, index) => changeBetween('users', image.user_id as string, image, after[index]))
    .filter((change) => Object.keys(change.after!).length > 0)
  const made = [...users.made.values()].map(({ user_id, now }) => ({
    ...{ record_type: 'users', record_id: user_id, before: null },
    after: stampOf('users', { version: 1, mtime: now }),
  }))
  return [...changed, ...made]
}
