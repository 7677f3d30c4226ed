import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, IsoInstant, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { findBelongings } from '../../people/users/merged-user-store.ts'
import { isUser } from '../../people/users/user-store.ts'
import { readAllAbout } from './export-store.ts'

const Rows = Type.Array(Type.Record(Type.String(), Type.Unknown()))

/** Exports all data about a person. */
export const exportUser = endpoint({
  id: 'exportUser',
  method: 'GET',
  path: '/api/v5/entity/user/export',
  group: 'Privacy',
  permission: 'admin',
  guard: {
    effect: 'discloses',
    people: 'everyone',
    why: 'Administrators answer for everyone.',
    limit: 'reveals per hour',
  },
  summary: 'Export all data about a user',
  description: 'All data as stored, by kind, at most 10,000 records of each. The audit records the export.',
  discloses: { action: 'exported', record_type: 'users', recordId: ({ user_id }) => user_id },
  input: Type.Object({ corp_id: OrganizationId, user_id: described(Id, 'Global user ID') }),
  data: Type.Object({
    user_id: Id,
    exported_at: IsoInstant,
    records: described(
      Type.Record(Type.String(), Rows),
      'user, merged_users, tags, leads, follow_ups, history, orders, payments, refunds, voids, approval_requests, ' +
        'retentions, write_offs, remarks, order_history, bank_lines, audit',
    ),
  }),
  example: {
    input: { corp_id: '0198c0de00007c41a2f0d8e6b4937215', user_id: '0198c0de33337c41a2f0d8e6b4937215' },
    data: {
      user_id: '0198c0de33337c41a2f0d8e6b4937215',
      exported_at: '2026-11-15T09:30:05.000Z',
      records: {
        user: [{ user_id: '0198c0de33337c41a2f0d8e6b4937215', name: '王芳', pool: 'public' }],
        leads: [],
      },
    },
  },
  errors: ['userNotFound'],

  async handle(context, { user_id }) {
    return exportPerson(context, user_id)
  },
})

export async function exportPerson(
  { db, organization: { corp_id }, now }: Pick<OrganizationContext, 'db' | 'organization' | 'now'>,
  user_id: string,
) {
  return db.snapshot(async (tx) => {
    if (!(await isUser(tx, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { merged_users } = await findBelongings(tx, corp_id, user_id)
    const records = await readAllAbout(tx, corp_id, [user_id, ...merged_users])
    return { user_id, exported_at: now.toISOString(), records }
  })
}
