import type { Queryable } from '../../database/database.ts'

type FollowRenames = (tx: Queryable, corp_id: string, userIds: string[]) => Promise<void>

let follow: FollowRenames | undefined

/**
 * Registers what else changes when users are renamed. Orders are found by the names of their users, and orders import
 * people: the registration keeps the import one-way. derived/derived-data.ts registers it.
 */
export function onRename(follower: FollowRenames): void {
  follow = follower
}

/** Runs in the transaction that renames the users. A missing registration fails: names would silently go stale. */
export async function followRenames(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  if (!follow) throw new Error('Nothing follows renamed users: derived/derived-data.ts was not loaded.')
  await follow(tx, corp_id, userIds)
}
