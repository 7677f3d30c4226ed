import type { Caller } from '../../access/caller.ts'
import type { OrganizationEndpoint } from '../../contract/endpoint.ts'
import type { Queryable } from '../../database/database.ts'
import { limitReveals } from '../../people/users/limit-reveals.ts'
import type { Input } from './read-input.ts'

/**
 * Notes in the audit that the caller sees personal data, and counts it. Runs before the response is sent, so nothing is
 * disclosed unnoted. Throws where staff have reached their limit. `db` is bound to the organization and the origin.
 */
export async function noteDisclosure(
  { discloses, guard }: OrganizationEndpoint,
  caller: Caller,
  input: Input,
  db: Queryable,
  now: Date,
): Promise<void> {
  const isStaff = caller.kind === 'staff'
  if (!discloses || (discloses.action === 'revealed' && !isStaff)) return
  const { action, record_type } = discloses
  const record_id = discloses.recordId(input)
  const person_id = record_type === 'users' ? record_id : undefined
  const reveal = isStaff &&
    guard.limit === 'reveals per hour' && { corp_id: caller.session.corp_id, staff_id: caller.app_id, now }
  const refusal = await db.transaction(async (tx) => {
    const refused = reveal ? await limitReveals(tx, reveal) : undefined
    if (!refused) tx.note({ action, record_type, record_id, person_id })
    return refused
  })
  if (refusal) throw refusal
}

/** Notes each call by support in the activity log of the school. `db` is bound to the organization and the origin. */
export async function noteSupportCall({ grant_id }: { grant_id: string }, db: Queryable): Promise<void> {
  const note = { action: 'revealed', record_type: 'support_grants', record_id: grant_id } as const
  await db.transaction(async (tx) => tx.note(note))
}
