import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable, Statements } from '../../database/database.ts'
import {
  addingFirstEntries,
  addingParts,
  type ChangedEntry,
  changingEntries,
  countsOf,
  type FacetEntry,
} from '../../search/facet-store.ts'
import {
  addingPairs,
  changeOfPairs,
  type FoundLikeness,
  findingLikenesses,
  pairsOf,
  removingPairs,
} from './duplicate-store.ts'
import { changesLikeness, likenessKeysOf } from './likeness.ts'
import { projectingProfiles } from './profile-store.ts'
import { followRenames } from './renames.ts'
import { entryChangesOf, initialsOf, type UserTransition } from './user-facets.ts'
import { lockUsers } from './user-store.ts'

/** What is written in the same round trip: the users themselves, or what they came with. */
export interface Alongside {
  writes?: Statements
  /** What else is found by facets from now on. */
  entries?: FacetEntry[]
  /** Ids of the records that this transaction makes, of which nothing is kept so far. */
  made?: string[]
  /** Whose leads are written. */
  userIds?: string[]
  /** For the audit. */
  notes?: AuditNote[]
  /** Of whoever writes side by side with others: waited for before anything is looked for that these may be writing. */
  turn?: () => Promise<unknown>
}

/**
 * Brings up to date what is kept beside users: what lists and searches find them by, whom they are like, and their
 * profiles. Whoever writes users or their leads calls this in the same transaction, holding the rows of those users that
 * were there before and are changed.
 */
export async function noteUsers(
  tx: Queryable,
  corp_id: string,
  transitions: UserTransition[],
  { writes = [], entries = [], made = [], userIds = [], notes = [], turn }: Alongside = {},
): Promise<void> {
  tx.note(...notes)
  const { added, removed } = entryChangesOf(transitions)
  const { first, later } = byNovelty([...added, ...entries], new Set(made))
  const changing = changingEntries(corp_id, { added: later, removed })
  const likened = transitions.filter(({ before, after }) => changesLikeness(before, after))
  const removing = removingPairs(
    corp_id,
    likened.flatMap(({ before }) => before?.user_id ?? []),
  )
  // They are found again by what these users are now, and among these users, too.
  const finding = findingLikenesses(
    corp_id,
    likened.flatMap(({ after }) => (after ? likenessKeysOf(after) : [])),
  )
  const writing = [...writes, ...addingFirstEntries(corp_id, first), ...changing]
  const profiles = projectingProfilesOf(corp_id, transitions, userIds)
  const answers: object[][] = []
  if (turn) {
    answers.push(...(await tx.pipeline(writing)))
    await turn()
    answers.push(...(await tx.pipeline([...removing, ...finding, ...profiles])))
  } else answers.push(...(await tx.pipeline([...writing, ...removing, ...finding, ...profiles])))
  answers.splice(0, writing.length - changing.length)
  answers.length -= profiles.length
  const changed = answers.splice(0, changing.length).flat() as ChangedEntry[]
  const gone = answers.splice(0, removing.length).flat()
  const adding = addingPairs(corp_id, pairsOf(answers.flat() as FoundLikeness[]))
  const firstOnes = first.map((entry) => ({ ...entry, change: 1 }))
  const counts = [...countsOf([...changed, ...firstOnes]), ...changeOfPairs(-gone.length)]
  const stored = await tx.pipeline([...adding, ...addingParts(corp_id, counts)])
  const pairs = stored.slice(0, adding.length).flat()
  await tx.pipeline(addingParts(corp_id, changeOfPairs(pairs.length)))
  await followRenames(tx, corp_id, transitions.flatMap(renamed))
}

/** Of users who are changed, and of those whose leads are: these are held here, since nobody else does. */
function projectingProfilesOf(corp_id: string, transitions: UserTransition[], userIds: string[]): Statements {
  const changed = new Set(transitions.flatMap(({ before, after }) => (after ?? before)!.user_id))
  const others = [...new Set(userIds)].filter((id) => !changed.has(id))
  return [
    ...(others.length > 0 ? [lockUsers(corp_id, others)] : []),
    ...projectingProfiles(corp_id, [...changed, ...others]),
  ]
}

/** The id of a user that was there before, and whose orders are found by other letters now. */
function renamed({ before, after }: UserTransition): string[] {
  if (!before || !after || initialsOf(before).join() === initialsOf(after).join()) return []
  return [after.user_id]
}

/** The entries of new records, each once, and those of all others. */
function byNovelty(entries: FacetEntry[], made: Set<string>): { first: FacetEntry[]; later: FacetEntry[] } {
  const first = new Map<string, FacetEntry>()
  const later: FacetEntry[] = []
  for (const entry of entries)
    if (made.has(entry.id)) first.set(`${entry.list} ${entry.id} ${entry.facet}`, entry)
    else later.push(entry)
  return { first: [...first.values()], later }
}
