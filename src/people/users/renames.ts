import type { Queryable } from '../../database/database.ts'

type RenameListener = (tx: Queryable, corp_id: string, userIds: string[]) => Promise<void>

let listener: RenameListener | undefined

/**
 * Registers the listener that updates the names of users on orders. Orders import people, so that people cannot call
 * orders: derived/derived-data.ts registers the function of orders here.
 */
export function onRename(renameListener: RenameListener): void {
  listener = renameListener
}

/** Runs in the transaction that renames the users. Fails without a listener: names would silently go stale. */
export async function followRenames(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  if (!listener) throw new Error('No rename listener is registered: import derived/derived-data.ts first.')
  await listener(tx, corp_id, userIds)
}
