import { createHash } from 'node:crypto'
import { ApiError, invalid } from '../contract/errors.ts'
import type { Feed } from './feed-store.ts'

/** A position in the feed of one organization, as readers keep it: after the event with this number. */
export function cursorAt(corp_id: string, { epoch }: Pick<Feed, 'epoch'>, seq: number): string {
  return Buffer.from(`${seq}.${epoch}.${markOf(corp_id)}`).toString('base64url')
}

/**
 * The number of the event that a cursor follows. A cursor of an earlier epoch, of another organization, or before events
 * that were deleted is refused: the reader would miss changes without noticing.
 */
export function positionOf(corp_id: string, feed: Feed, cursor: string): number {
  const [number = '', epoch, mark, ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const seq = Number(number)
  const isCursor = /^\d{1,15}$/.test(number) && epoch !== undefined && mark !== undefined && rest.length === 0
  if (!isCursor) throw invalid('after', 'is not a cursor of this feed')
  const isCurrent = epoch === feed.epoch && mark === markOf(corp_id)
  if (!isCurrent || seq < feed.pruned || seq > feed.length) throw new ApiError('cursorExpired')
  return seq
}

/** Distinguishes organizations without naming them. */
function markOf(corp_id: string): string {
  return createHash('sha256').update(corp_id).digest('hex').slice(0, 8)
}
