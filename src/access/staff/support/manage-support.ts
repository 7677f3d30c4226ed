import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError, taken } from '../../../contract/errors.ts'
import {
  described,
  Email,
  Id,
  Name,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { isUniqueViolation } from '../../../database/unique-violation.ts'
import '../console-context.ts'
import { supportRoles } from './support-roles.ts'
import { insertGrant, type ListedGrant, listGrants, revokeGrant } from './support-store.ts'

const hourMs = 60 * 60 * 1000
const most = { hours: 72, listed: 100 }
const corp_id = exampleIds.corp_id

const SupportGrant = namedObject('SupportGrant', {
  grant_id: Id,
  email: Type.String(),
  name: Name,
  role: oneOf(supportRoles, 'Role of the support person'),
  is_open: Type.Boolean({ description: 'Whether it neither has expired nor was revoked' }),
  granted_by: Type.String(),
  ctime: Timestamp,
  ends: Timestamp,
  revoked: Timestamp,
  revoked_by: Type.String(),
})

const example: Static<typeof SupportGrant> = {
  grant_id: '0198c0dedddd7c41a2f0d8e6b4937215',
  email: 'support@operator.example',
  name: 'Kim Lee',
  role: 'viewer',
  is_open: true,
  granted_by: exampleIds.administrator_id,
  ctime: '2026-11-15 10:00:00',
  ends: '2026-11-16 10:00:00',
  revoked: '',
  revoked_by: '',
}

const shared = { group: 'Console', since: 'Ver5.2026-11-18', permission: 'admin' } as const

export const listSupportGrants = endpoint({
  ...shared,
  id: 'listSupportGrants',
  method: 'GET',
  path: '/api/v5/console/support/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List access of support persons, the newest first',
  description: `At most ${most.listed}. The activity log has every call by support.`,
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(SupportGrant) }),
  example: { input: { corp_id }, data: { list: [example] } },

  async handle({ db, organization, now }) {
    const { corp_id, time_zone: timeZone } = organization
    return { list: await listGrants(db, corp_id, { now, timeZone, limit: most.listed }) }
  },
})

/** This is the only way for the operator's people into a school. */
export const grantSupport = endpoint({
  ...shared,
  id: 'grantSupport',
  method: 'POST',
  path: '/api/v5/console/support/grant',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Let a support person of the operator in, for some hours',
  description:
    'The operator then makes a link for this person (`matricula support link`). The access ends by its time or when it is ' +
    'revoked, also in an open session. Support sees masked contacts only, and can do nothing that asks for a confirmation. ' +
    'Each call by support is in the activity log.',
  input: Type.Object({
    corp_id: OrganizationId,
    email: described(Email, 'E-mail address of the support person'),
    name: Name,
    hours: Type.Integer({ minimum: 1, maximum: most.hours, description: 'Hours until the access ends' }),
    role: Type.Optional(oneOf(supportRoles, 'Role of the support person; default: viewer')),
  }),
  data: SupportGrant,
  example: {
    input: { corp_id, email: example.email, name: example.name, hours: 24, role: 'viewer' },
    data: example,
  },
  errors: ['taken'],

  async handle({ db, organization, account, newId, now }, { corp_id, email, name, hours, role = 'viewer' }) {
    const grant = {
      ...{ corp_id, grant_id: newId(), email, name, role, granted_by: account.app_id },
      ends_at: new Date(now.getTime() + hours * hourMs),
    }
    try {
      return await db.transaction(async (tx) => {
        await insertGrant(tx, grant, now)
        const { grant_id: record_id, ends_at } = grant
        const after = { email, name, role, ends_at: ends_at.toISOString() }
        tx.note({ record_type: 'support_grants', record_id, after })
        return shownGrant(tx, { corp_id, grant_id: record_id, now, timeZone: organization.time_zone })
      })
    } catch (error) {
      if (isUniqueViolation(error, 'support_grants_open'))
        throw taken('email', 'has open access already: revoke it first', { reason: 'support_is_open' })
      throw error
    }
  },
})

export const revokeSupport = endpoint({
  ...shared,
  id: 'revokeSupport',
  method: 'POST',
  path: '/api/v5/console/support/revoke',
  guard: { effect: 'changes', people: 'none' },
  summary: 'End the access of a support person at once',
  description: 'Their next call is refused. A second call changes nothing.',
  input: Type.Object({ corp_id: OrganizationId, grant_id: Id }),
  data: SupportGrant,
  example: {
    input: { corp_id, grant_id: example.grant_id },
    data: {
      ...example,
      is_open: false,
      revoked: '2026-11-15 12:00:00',
      revoked_by: exampleIds.administrator_id,
    },
  },
  errors: ['supportGrantNotFound'],

  async handle({ db, organization, account, now }, { corp_id, grant_id }) {
    return db.transaction(async (tx) => {
      const isRevoked = await revokeGrant(tx, { corp_id, grant_id }, { revoked_by: account.app_id, now })
      if (isRevoked === undefined) throw new ApiError('supportGrantNotFound')
      if (isRevoked) tx.note({ record_type: 'support_grants', record_id: grant_id, before: { grant_id } })
      return shownGrant(tx, { corp_id, grant_id, now, timeZone: organization.time_zone })
    })
  },
})

async function shownGrant(
  tx: Queryable,
  { corp_id, ...one }: { corp_id: string; grant_id: string; now: Date; timeZone: string },
): Promise<ListedGrant> {
  const [grant] = await listGrants(tx, corp_id, { ...one, limit: 1 })
  return grant!
}
