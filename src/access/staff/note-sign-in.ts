import { createHash } from 'node:crypto'
import { createRateCounter } from '../../contract/limits/rate-counter.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import { ofNoOrganization } from '../audit/link-entries.ts'
import type { ConsoleAccess } from './console-context.ts'
import type { AccountKey } from './staff-store.ts'

/** The audit entry of a sign-in. It belongs to the organization of the account. */
export function signInNote({ staff_id }: AccountKey): AuditNote {
  return { record_type: 'staff_sessions', record_id: staff_id, after: { staff_id } }
}

export async function noteSignOut(
  access: ConsoleAccess,
  { corp_id, staff_id }: AccountKey,
  everywhere: boolean,
): Promise<void> {
  const note = { record_type: 'staff_sessions', record_id: staff_id, before: { staff_id, everywhere } }
  await access.of(corp_id, staff_id).transaction(async (tx) => tx.note(note))
}

/** The audit entry of a password change, without the password. */
export function passwordNote(staff_id: string, what: 'reset' | 'chosen' | 'changed'): AuditNote {
  return { record_type: 'staff', record_id: staff_id, action: 'changed', after: { password: what } }
}

/** Guessing must not flood the audit: more entries per minute add no information. */
const maxPerMinute = 20
const noted = createRateCounter(10_000)

/** Records a failed sign-in of a member of staff in the audit of the organization. */
export function noteFailure(access: ConsoleAccess, { corp_id, staff_id }: AccountKey, now: Date): void {
  const note = { record_type: 'failed_sign_ins', record_id: staff_id, after: { staff_id } }
  noteInBackground(access, corp_id, note, now)
}

/**
 * Records a failed sign-in with an address, before an organization is chosen: only the operator sees the entry. The address
 * is stored as SHA-256 of its lower-case form.
 */
export function noteFailureByAddress(access: ConsoleAccess, email: string, now: Date): void {
  const record_id = createHash('sha256').update(email.toLowerCase()).digest('hex')
  noteInBackground(access, ofNoOrganization, { record_type: 'failed_sign_ins', record_id }, now)
}

/** Runs in the background: the duration of a response must not reveal whether the account exists. */
function noteInBackground(access: ConsoleAccess, corp_id: string, note: AuditNote, now: Date): void {
  const noteUpToLimit = async () => {
    const { count } = await noted.count('failures', `${corp_id} ${note.record_id}`, 1, now.getTime())
    if (count <= maxPerMinute) await access.of(corp_id).transaction(async (tx) => tx.note(note))
  }
  noteUpToLimit().catch(() => undefined)
}
