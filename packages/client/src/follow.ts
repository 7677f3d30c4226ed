import { MatriculaError } from './errors.ts'
import type { EventsMethods } from './generated/operations.ts'
import type { Event } from './generated/types.ts'
import { pause } from './waits.ts'

export interface FollowOptions {
  /** The cursor that was saved last. Absent: `reread`, or without it the oldest event that is kept. */
  cursor?: string | undefined
  /** Stores the cursor. It is called after the handler, so a crash repeats events and loses none. */
  save(cursor: string): unknown
  /**
   * Reads the lists into the copy, when there is no cursor and when the cursor leads nowhere any more (41001). Without it,
   * 41001 is thrown.
   */
  reread?: (() => unknown) | undefined
  /** Types with commas in between, such as order.*,user.created. Absent: all. */
  types?: string | undefined
  /** Events per page, at most 1,000. */
  limit?: number | undefined
  /** How long one call waits for an event, at most 30. */
  waitSeconds?: number | undefined
  /** Ends following. */
  signal?: AbortSignal | undefined
}

/** Follows the feed until the signal is aborted, or the handler, `save` or `reread` fails. */
export async function follow(
  events: Pick<EventsMethods, 'list'>,
  options: FollowOptions,
  handler: (events: Event[]) => unknown,
): Promise<void> {
  const { save, reread, types, limit = 1000, waitSeconds = 30, signal } = options
  // A follower outlasts every outage.
  const patience = { signal, retries: Number.POSITIVE_INFINITY, timeoutMs: waitSeconds * 1000 + 30_000 }
  let { cursor } = options
  try {
    while (!signal?.aborted) {
      if (cursor === undefined && reread) {
        const { newest_cursor } = await events.list({ limit: 1 }, patience)
        await reread()
        await save(newest_cursor)
        cursor = newest_cursor
      }
      const startedMs = Date.now()
      const input = { types, limit, after: cursor, wait_seconds: waitSeconds }
      const page = await events.list(input, patience).catch((error: unknown) => {
        if (reread && error instanceof MatriculaError && error.code === 41001) return undefined
        throw error
      })
      if (!page) {
        cursor = undefined
        continue
      }
      if (page.list.length > 0) await handler(page.list)
      if (page.next_cursor !== cursor) await save(page.next_cursor)
      cursor = page.next_cursor
      // A server that did not wait is not asked again at once.
      if (page.list.length === 0 && !page.has_more && Date.now() - startedMs < 200) await pause(1000, signal)
    }
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error
  }
}
