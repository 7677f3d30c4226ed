import type { Statement } from '../../../database/sql.ts'
import {
  puttingDocuments,
  removingDocuments,
  type SearchDocument,
} from '../../../search/search-index-store.ts'
import { type SearchedPerson, searchTextOf } from './search-text.ts'

interface SearchedUser extends SearchedPerson {
  user_id: string
  ctime: Date
}

/** A merged user is found by its own names and contacts, and leads to the survivor. */
export interface MergedUser extends SearchedPerson {
  merged_user_id: string
  user_id: string
}

/** The document of a user; undefined if there is nothing to find it by. */
export function documentOfUser(user: SearchedUser): SearchDocument | undefined {
  return documentOf(user.user_id, user, user.ctime)
}

/** The document of a merged user, at the position of the survivor. */
export function documentOfMerged(merged: MergedUser, time: Date): SearchDocument | undefined {
  return documentOf(mergedDocumentId(merged.merged_user_id), merged, time)
}

export function mergedDocumentId(merged_user_id: string): string {
  return `merged ${merged_user_id}`
}

function documentOf(
  id: string,
  person: SearchedPerson & { user_id: string },
  time: Date,
): SearchDocument | undefined {
  const text = searchTextOf(person)
  return text === '' ? undefined : { id, user_id: person.user_id, time, text }
}

/** Stores the documents of changed users. */
export function changingDocuments(
  corp_id: string,
  transitions: { before?: SearchedUser; after?: SearchedUser }[],
): Statement[] {
  const put: SearchDocument[] = []
  const gone: string[] = []
  for (const { before, after } of transitions) {
    const [old, now] = [before && documentOfUser(before), after && documentOfUser(after)]
    if (now && (now.text !== old?.text || now.id !== old.id)) put.push(now)
    if (old && old.id !== now?.id) gone.push(old.id)
  }
  return [...removingDocuments(corp_id, gone), ...puttingDocuments(corp_id, put)]
}
