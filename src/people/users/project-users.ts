import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable, Statements } from '../../database/database.ts'
import {
  addingCountDeltas,
  addingNewEntries,
  type ChangedEntry,
  changingEntries,
  countDeltasOf,
  type EntryChanges,
  type FacetEntry,
} from '../../search/facet-store.ts'
import {
  addingPairs,
  type FoundLikeness,
  findingLikenesses,
  pairCountDelta,
  pairsOf,
  removingPairs,
} from './duplicate-store.ts'
import { changesLikeness, likenessKeysOf } from './likeness.ts'
import { projectingNewProfiles, projectingProfiles } from './profile-store.ts'
import { followRenames } from './renames.ts'
import { changingDocuments } from './search/user-document-store.ts'
import { entryChangesOf, initialsOf, type UserTransition } from './user-facets.ts'
import { lockUsers } from './user-store.ts'

/*
 * Six things are derived from users:
 *
 *   facet entries     the facets that lists and searches find users by     user-facets.ts
 *   facet counts      the totals of these lists, per facet and day         search/facet-store.ts
 *   search documents  the text that searches find users by                 search/search-text.ts
 *   duplicate pairs   users that are likely the same person                likeness.ts, duplicate-store.ts
 *   profiles          the rendered profile, with the first and last lead   profile-store.ts
 *   names on orders   orders are found by the names of their users         renames.ts
 *
 * The order of the steps follows from their inputs. Each step is one round trip.
 *
 *   1. Store the caller's rows, the facet entries and the search documents.
 *      Then replace the pairs of changed users: remove the old ones and search for new ones. The search reads facet
 *      entries, so that it also finds pairs within this list of users. Render profiles, which show the stored leads.
 *   2. Store the new pairs, and the count deltas of the entries and pairs that step 1 really changed. An entry that
 *      exists already is not added, so the deltas are known only from the results of step 1.
 *   3. Count the pairs that step 2 really added.
 *   4. Update the names on orders, last: this locks the ledger clock, which every writer of orders needs.
 */

/** Rows that the caller stores in the same round trip, such as the users themselves or their leads. */
export interface AccompanyingWrites {
  statements?: Statements
  /** Facet entries of these rows. */
  entries?: FacetEntry[]
  /** Ids of records that this transaction creates. They have no facet entries yet. */
  newIds?: string[]
  /** Users whose leads are stored: their profiles change. */
  leadUserIds?: string[]
  notes?: AuditNote[]
  /** Resolves when the transactions before this one have committed. Pairs and profiles depend on their rows. */
  waitForPredecessors?: () => Promise<unknown>
}

/**
 * Updates the derived data of changed users, in the transaction of the change. The caller holds the locks of changed users
 * that exist.
 */
export async function projectUsers(
  tx: Queryable,
  corp_id: string,
  transitions: UserTransition[],
  writes: AccompanyingWrites = {},
): Promise<void> {
  const { statements = [], notes = [], waitForPredecessors } = writes
  tx.note(...notes)
  const { ofNewRecords, ofKnownRecords } = sortEntries(transitions, writes)
  const storing = {
    accompanying: statements,
    newEntries: addingNewEntries(corp_id, ofNewRecords),
    changedEntries: changingEntries(corp_id, ofKnownRecords),
    documents: changingDocuments(corp_id, transitions),
  }
  const deriving = {
    ...replacingPairs(corp_id, transitions),
    profiles: projectingProfilesOf(corp_id, transitions, writes),
  }
  const { changedEntries, removedPairs, likenesses } = waitForPredecessors
    ? {
        ...(await tx.pipeline<StoredRows>(storing)),
        ...(await waitForPredecessors().then(() => tx.pipeline<DerivedRows>(deriving))),
      }
    : await tx.pipeline<StoredRows & DerivedRows>({ ...storing, ...deriving })
  const newEntries = ofNewRecords.map((entry) => ({ ...entry, change: 1 }))
  const { addedPairs } = await tx.pipeline<{ addedPairs: object; counts: object }>({
    addedPairs: addingPairs(corp_id, pairsOf(likenesses)),
    counts: addingCountDeltas(corp_id, [
      ...countDeltasOf([...changedEntries, ...newEntries]),
      ...pairCountDelta(-removedPairs.length),
    ]),
  })
  await tx.pipeline(addingCountDeltas(corp_id, pairCountDelta(addedPairs.length)))
  await followRenames(tx, corp_id, transitions.flatMap(renamedUser))
}

/** Rows that the statements of step 1 return, by name. */
type StoredRows = {
  accompanying: object
  newEntries: object
  changedEntries: ChangedEntry
  documents: object
}
type DerivedRows = { removedPairs: object; likenesses: FoundLikeness; profiles: object }

/**
 * Entries of new records are inserted without a search for existing ones and without results. Each is sent once: two
 * leads of one user can have the same entry.
 */
function sortEntries(
  transitions: UserTransition[],
  { entries = [], newIds = [] }: AccompanyingWrites,
): { ofNewRecords: FacetEntry[]; ofKnownRecords: EntryChanges } {
  const { added, removed } = entryChangesOf(transitions)
  const isNew = new Set(newIds)
  const ofNewRecords = new Map<string, FacetEntry>()
  const addedLater: FacetEntry[] = []
  for (const entry of [...added, ...entries])
    if (isNew.has(entry.id)) ofNewRecords.set(`${entry.list} ${entry.id} ${entry.facet}`, entry)
    else addedLater.push(entry)
  return { ofNewRecords: [...ofNewRecords.values()], ofKnownRecords: { added: addedLater, removed } }
}

/** Removes the pairs of users whose likeness keys changed, and searches for the users that share a key with them now. */
function replacingPairs(corp_id: string, transitions: UserTransition[]) {
  const changed = transitions.filter(({ before, after }) => changesLikeness(before, after))
  return {
    removedPairs: removingPairs(
      corp_id,
      changed.flatMap(({ before }) => before?.user_id ?? []),
    ),
    likenesses: findingLikenesses(
      corp_id,
      changed.flatMap(({ after }) => (after ? likenessKeysOf(after) : [])),
    ),
  }
}

/** Renders the profiles of changed users and of users whose leads changed. The latter are locked here. */
function projectingProfilesOf(
  corp_id: string,
  transitions: UserTransition[],
  { leadUserIds = [], newIds = [] }: AccompanyingWrites,
): Statements {
  const changed = new Set(transitions.flatMap(({ before, after }) => (after ?? before)?.user_id ?? []))
  const withLeads = new Set(leadUserIds)
  const others = [...withLeads.difference(changed)]
  const withoutLeads = changed.intersection(new Set(newIds)).difference(withLeads)
  return [
    ...(others.length > 0 ? [lockUsers(corp_id, others)] : []),
    ...projectingNewProfiles(corp_id, [...withoutLeads]),
    ...projectingProfiles(corp_id, [...changed.difference(withoutLeads), ...others]),
  ]
}

/** The id of an existing user if its orders are found by other initials now. */
function renamedUser({ before, after }: UserTransition): string[] {
  if (!before || !after || initialsOf(before).join() === initialsOf(after).join()) return []
  return [after.user_id]
}
