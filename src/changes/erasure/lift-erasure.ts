import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { AreaCode, described, Email, Id, IsoInstant, Mobile, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { contactHasOneShape } from '../../people/users/create-user.ts'
import { findBelongings } from '../../people/users/merged-user-store.ts'
import type { Person } from '../../people/users/user-plan.ts'
import { isUser } from '../../people/users/user-store.ts'
import { readAllAbout } from './export-store.ts'
import { finishErasures } from './finish-erasures.ts'
import { hasherOf, personHashes } from './recognise-erased.ts'
import { findPeopleByHash, findRegister, liftTombstones, takeNumber } from './tombstone-store.ts'

/** Allows an erased person to be imported again, at their own request. */
export const liftErasure = endpoint({
  id: 'liftErasure',
  method: 'POST',
  path: '/api/v5/entity/user/erasure/lift',
  group: 'Privacy',
  since: 'Ver5.2026-11-17',
  permission: 'admin',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Lift the erasure of a person',
  description:
    'Files may import the person again, by any of their former contacts. Erased data stays erased. Give the complete ' +
    'number or address: the service knows contacts of erased people only as keyed hashes.',
  input: Type.Object({
    corp_id: OrganizationId,
    area_code: Type.Optional(AreaCode),
    mobile: Type.Optional(Mobile),
    email: Type.Optional(Email),
  }),
  oneOfSets: [['area_code', 'mobile'], ['email']],
  setsExclude: true,
  rules: contactHasOneShape,
  data: Type.Object({
    user_ids: described(Type.Array(Id), 'The erased people who had the contact'),
    contacts: Type.Integer({ description: 'Number of contacts that may be imported again' }),
  }),
  example: {
    input: { corp_id: 'lakeside', area_code: '86', mobile: '17717456155' },
    data: { user_ids: ['019672b93ea877f0b98a30ed5184dccd'], contacts: 2 },
  },
  errors: ['erasureNotFound'],

  async handle(context, { corp_id: _, ...contact }) {
    return liftOne(context, contact)
  },

  afterwards: (context) => finishErasures(context),
})

export async function liftOne(
  {
    db,
    organization,
    account,
    keyring,
    now,
  }: Pick<OrganizationContext, 'db' | 'organization' | 'account' | 'keyring' | 'now'>,
  contact: Person,
): Promise<{ user_ids: string[]; contacts: number }> {
  const { corp_id } = organization
  return db.transaction(async (tx) => {
    const hasher = hasherOf(keyring, corp_id, await findRegister(tx, corp_id))
    const user_ids = hasher ? await findPeopleByHash(tx, corp_id, personHashes(hasher, contact)) : []
    if (user_ids.length === 0) throw new ApiError('erasureNotFound')
    const number = await takeNumber(tx, corp_id, true)
    const contacts = await liftTombstones(tx, corp_id, user_ids, { number, by: account.app_id, now })
    tx.note(
      ...user_ids.map((user_id) => ({
        record_type: 'erasure_tombstones',
        record_id: user_id,
        action: 'changed' as const,
        after: { is_lifted: true },
      })),
    )
    return { user_ids, contacts }
  })
}

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
    input: { corp_id: 'lakeside', user_id: '019672b93ea877f0b98a30ed5184dccd' },
    data: {
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      exported_at: '2026-11-15T09:30:05.000Z',
      records: {
        user: [{ user_id: '019672b93ea877f0b98a30ed5184dccd', name: '王芳', pool: 'public' }],
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
