import type { UserEvent } from '../../people/users/user-event-store.ts'
import { countingMembers, type Image, type Transition } from '../undo/record-images.ts'

/** A merge, who made it and when. */
export interface MergeCause {
  merge_id: string
  merged_user_id: string
  executor_id: string | null
  at: Date
}

/** The history of the merged user comes behind the survivor's own, and then the merge. */
export function historyOfMerge(
  { id: user_id, before, after }: Transition,
  history: UserEvent[],
  { merge_id, merged_user_id, executor_id, at }: MergeCause,
): UserEvent[] {
  const first = (before!.version as number) + 1
  const members = Object.keys(after!).filter(
    (name) =>
      !countingMembers.includes(name) && JSON.stringify(before![name]) !== JSON.stringify(after![name]),
  )
  const pick = (image: Image) => Object.fromEntries(members.map((name) => [name, image[name]]))
  return [
    ...history.map((event, index) => ({ ...event, user_id, version: first + index, merge_id })),
    {
      ...{ user_id, version: after!.version as number, at, event: 'merged', owner_id: null, executor_id },
      ...{ before: pick(before!), after: { ...pick(after!), merged_user_id }, merge_id },
    },
  ]
}

/** The end of a merge. What the merge had brought is of the other user again, and is not told here. */
export function endOfMerge(
  { id: user_id, after }: Transition,
  { merged_user_id, executor_id, at }: MergeCause,
): UserEvent {
  return {
    ...{ user_id, version: after!.version as number, at, event: 'undone', owner_id: null, executor_id },
    ...{ before: { merged_user_id }, after: { merged_user_id: null } },
  }
}
