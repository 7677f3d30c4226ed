import type { Queryable } from '../../../database/database.ts'
import { indexDocuments } from '../../../search/search-index-store.ts'
import { loadSearchKeys } from './search-keys.ts'

/** Indexes the search documents of new and changed users. */
export async function indexUsers(db: Queryable, corp_id: string, signal?: AbortSignal): Promise<void> {
  await indexDocuments(db, corp_id, loadSearchKeys, signal ? { signal } : {})
}
