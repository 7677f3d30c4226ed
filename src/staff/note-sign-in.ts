import { createRateCounter } from '../limits/rate-counter.ts'
import type { Door } from './console-context.ts'
import { findWorkplaceIds } from './staff-store.ts'

/** In the audit of every organization that the session holds in. */
export async function noteSignIn(door: Door, staff_id: string, corp_ids: string[]): Promise<void> {
  const note = { record_type: 'staff_sessions', record_id: staff_id, after: { staff_id } }
  for (const corp_id of corp_ids) await door.note(corp_id, note, staff_id)
}

export async function noteSignOut(
  door: Door,
  staff_id: string,
  { corp_ids, everywhere }: { corp_ids: string[]; everywhere: boolean },
): Promise<void> {
  const note = { record_type: 'staff_sessions', record_id: staff_id, before: { staff_id, everywhere } }
  for (const corp_id of corp_ids) await door.note(corp_id, note, staff_id)
}

/** Whoever guesses must not fill the audit: more than this within a minute tell nothing new. */
const mostPerMinute = 20
const noted = createRateCounter(10_000)

/**
 * That somebody tried to come in as a member of the staff and could not, in the audit of their organizations; never what
 * was typed. Nobody waits for it: how long an answer takes must not tell whether there is such a person.
 */
export function noteFailedSignIn(door: Door, staff_id: string | undefined, now: Date): void {
  if (staff_id === undefined) return
  const inTime = async () => {
    const { count } = await noted.count('failures', staff_id, 1, now.getTime())
    if (count > mostPerMinute) return
    const note = { record_type: 'failed_sign_ins', record_id: staff_id, after: { staff_id } }
    for (const corp_id of await findWorkplaceIds(door.people, staff_id)) await door.note(corp_id, note)
  }
  inTime().catch(() => undefined)
}
