import { ApiError } from '../../contract/errors.ts'

/** A caller that names a version does not overwrite a concurrent change. */
export function refuseStale(current: number, expected: number | undefined, noun = 'order'): void {
  if (expected === undefined || expected === current) return
  throw new ApiError('staleVersion', {
    msg: `The ${noun} has version ${current}, not ${expected}.`,
    errors: [{ param: 'version', reason: `must be ${current}` }],
  })
}
