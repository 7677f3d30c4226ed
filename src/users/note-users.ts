import type { Queryable } from '../database/database.ts'
import { changeEntries } from '../facets/facet-store.ts'
import { replacePairs } from './duplicate-store.ts'
import { changesLikeness, likenessKeysOf } from './likeness.ts'
import { entryChangesOf, type UserTransition } from './user-facets.ts'

/**
 * Brings up to date what is kept beside users: what lists and searches find them by, and whom they are like. Whoever
 * writes users calls this in the same transaction, holding the rows of those that were there before.
 */
export async function noteUsers(
  tx: Queryable,
  corp_id: string,
  transitions: UserTransition[],
): Promise<void> {
  await changeEntries(tx, corp_id, entryChangesOf(transitions))
  const changed = transitions.filter(({ before, after }) => changesLikeness(before, after))
  await replacePairs(tx, corp_id, {
    known: changed.flatMap(({ before }) => before?.user_id ?? []),
    keys: changed.flatMap(({ after }) => (after ? likenessKeysOf(after) : [])),
  })
}
