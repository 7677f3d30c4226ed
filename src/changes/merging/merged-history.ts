import type { UserEvent } from '../../people/users/user-event-store.ts'
import { type AnyImage, countingMembers, type Image } from '../undo/record-images.ts'

/** A merge, who made it and when. */
export interface MergeCause {
  merge_id: string
  merged_user_id: string
  executor_id: string | null
  at: Date
}

/** The survivor, with its id. */
interface Survivor {
  id: string
  before: Image<'users'>
  after: Image<'users'>
}

/** The events of the merged user follow those of the survivor; the merge is the last event. */
export function historyOfMerge(
  { id: user_id, before, after }: Survivor,
  history: UserEvent[],
  { merge_id, merged_user_id, executor_id, at }: MergeCause,
): UserEvent[] {
  const [was, is]: AnyImage[] = [before, after]
  const members = Object.keys(after).filter(
    (name) => !countingMembers.includes(name) && JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]),
  )
  const pick = (image: AnyImage) => Object.fromEntries(members.map((name) => [name, image[name]]))
  return [
    ...history.map((event, index) => ({ ...event, user_id, version: before.version + 1 + index, merge_id })),
    {
      user_id,
      version: after.version,
      at,
      event: 'merged',
      owner_id: null,
      executor_id,
      before: pick(before),
      after: { ...pick(after), merged_user_id },
      merge_id,
    },
  ]
}

/** The end of a merge. It omits the members that the merge had filled: they belong to the other user again. */
export function endOfMerge(
  { id: user_id, after }: Survivor,
  { merged_user_id, executor_id, at }: MergeCause,
): UserEvent {
  return {
    user_id,
    version: after.version,
    at,
    event: 'undone',
    owner_id: null,
    executor_id,
    before: { merged_user_id },
    after: { merged_user_id: null },
  }
}
