import type { Caller } from '../../access/caller.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import { ApiError } from '../../contract/errors.ts'

/**
 * Staff must have confirmed their identity within the last minutes: a browser left unattended must not do everything.
 * Programs prove theirs with every call.
 */
export function requireConfirmation(caller: Caller, now: Date): void {
  if (caller.kind === 'program') return
  if (now.getTime() - caller.session.confirmed_at.getTime() > confirmationMs)
    throw new ApiError('confirmationNeeded')
}
