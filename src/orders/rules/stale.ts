import { ApiError } from '../../contract/errors.ts'

/** Whoever names a version builds on it: a change made meanwhile by somebody else is not overwritten unseen. */
export function refuseStale(current: number, expected: number | undefined, noun = 'order'): void {
  if (expected === undefined || expected === current) return
  throw new ApiError('staleVersion', {
    msg: `The ${noun} has version ${current}, not ${expected}.`,
    errors: [{ param: 'version', reason: `must be ${current}` }],
  })
}
