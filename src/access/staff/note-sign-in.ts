import { createHash } from 'node:crypto'
import { createRateCounter } from '../../contract/limits/rate-counter.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import { ofNoOrganization } from '../audit/link-entries.ts'
import type { Door } from './console-context.ts'
import type { AccountKey } from './staff-store.ts'

/** Sign-ins and outs are noted in the organization of the account, and nowhere else. */
export function signInNote({ staff_id }: AccountKey): AuditNote {
  return { record_type: 'staff_sessions', record_id: staff_id, after: { staff_id } }
}

export async function noteSignOut(
  door: Door,
  { corp_id, staff_id }: AccountKey,
  everywhere: boolean,
): Promise<void> {
  const note = { record_type: 'staff_sessions', record_id: staff_id, before: { staff_id, everywhere } }
  await door.of(corp_id, staff_id).transaction(async (tx) => tx.note(note))
}

/** What happened to a password: never the password itself. */
export function passwordNote(staff_id: string, what: 'reset' | 'chosen' | 'changed'): AuditNote {
  return { record_type: 'staff', record_id: staff_id, action: 'changed', after: { password: what } }
}

/** Somebody who guesses must not fill the audit: more than this within a minute tell nothing new. */
const mostPerMinute = 20
const noted = createRateCounter(10_000)

/** That somebody could not prove to be this member of staff, in the audit of the organization. */
export function noteFailure(door: Door, { corp_id, staff_id }: AccountKey, now: Date): void {
  const note = { record_type: 'failed_sign_ins', record_id: staff_id, after: { staff_id } }
  noteInTime(door, corp_id, note, now)
}

/**
 * The same where only an address was typed: no account is chosen yet, so only the operator sees it, by the SHA-256 of the
 * address in small letters.
 */
export function noteFailureByAddress(door: Door, email: string, now: Date): void {
  const record_id = createHash('sha256').update(email.toLowerCase()).digest('hex')
  noteInTime(door, ofNoOrganization, { record_type: 'failed_sign_ins', record_id }, now)
}

/** Never what was typed. Nobody waits for it: how long an answer takes must not tell whether there is such a person. */
function noteInTime(door: Door, corp_id: string, note: AuditNote, now: Date): void {
  const inTime = async () => {
    const { count } = await noted.count('failures', `${corp_id} ${note.record_id}`, 1, now.getTime())
    if (count <= mostPerMinute) await door.of(corp_id).transaction(async (tx) => tx.note(note))
  }
  inTime().catch(() => undefined)
}
