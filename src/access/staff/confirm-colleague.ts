import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { endGrants, findColleague, findGrantors } from './staff-store.ts'
import './console-context.ts'
import { areOnePerson } from './one-person.ts'

/** Confirms that a colleague acts independently: their actions no longer count as actions of the grantors. */
export const confirmColleague = endpoint({
  id: 'confirmColleague',
  method: 'POST',
  path: '/api/v5/console/staff/confirm',
  group: 'Console',
  since: 'Ver5.2026-11-17',
  permission: 'admin',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Confirm that a colleague acts independently of the administrators who gave them access',
  description:
    'Until then, rules that need a second person count the actions of the colleague as actions of the administrators who ' +
    'invited them, created a password link for them or gave them a role. These administrators cannot confirm the ' +
    'colleague. Neither can anyone who has access from them.',
  input: Type.Object({ corp_id: OrganizationId, staff_id: described(Id, 'Member of staff') }),
  data: Type.Object({ staff_id: Id, unconfirmed_by: Type.Array(Id) }),
  example: {
    input: { corp_id: exampleIds.corp_id, staff_id: exampleIds.staff_id },
    data: { staff_id: exampleIds.staff_id, unconfirmed_by: [] },
  },
  errors: ['staffNotFound', 'ownRequest'],

  async handle({ db, account }, { corp_id, staff_id }) {
    await db.transaction(async (tx) => {
      if (!(await findColleague(tx, { corp_id, staff_id }))) throw new ApiError('staffNotFound')
      await requireIndependent(tx, corp_id, staff_id, account.app_id)
      await confirmStaff(tx, corp_id, staff_id)
    })
    return { staff_id, unconfirmed_by: [] }
  },
})

/** The operator confirms by command line, without a second person. */
export async function confirmStaff(on: Queryable, corp_id: string, staff_id: string): Promise<void> {
  await on.transaction(async (tx) => {
    const before = await endGrants(tx, corp_id, staff_id)
    if (before.length === 0) return
    tx.note({
      record_type: 'staff',
      record_id: staff_id,
      action: 'changed',
      before: { unconfirmed_by: before },
      after: { unconfirmed_by: [] },
    })
  })
}

async function requireIndependent(
  tx: Queryable,
  corp_id: string,
  staff_id: string,
  confirmer: string,
): Promise<void> {
  const grantors = await findGrantors(tx, corp_id, [staff_id])
  for (const id of [staff_id, ...grantors.map(({ granted_by }) => granted_by)])
    if (await areOnePerson(tx, corp_id, { id }, { id: confirmer }))
      throw new ApiError('ownRequest', { msg: dependent, extra: { reason: 'not_independent' } })
}

const dependent =
  'You cannot confirm this colleague: one of you has access from the other, or both from the same administrator. Another ' +
  'administrator can confirm, or the operator with matricula staff confirm.'
