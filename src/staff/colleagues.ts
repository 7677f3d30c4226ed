import { type Static, Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import {
  described,
  Email,
  Id,
  Name,
  NullableString,
  namedObject,
  OrganizationId,
} from '../contract/fields.ts'
import { shownOnce } from '../contract/shown-once.ts'
import type { Queryable } from '../database/database.ts'
import { type AccessGrant, findGrantors, noteGrant } from './access-grant-store.ts'
import './console-context.ts'
import { RoleName } from './fields.ts'
import { changeRole, type Invitation, inviteStaff, resetPassword } from './manage-staff.ts'
import { type Role, roleNames, roles } from './roles.ts'
import { type Colleague as FoundColleague, findColleague, listColleagues } from './staff-store.ts'

const Colleague = namedObject('Colleague', {
  staff_id: Id,
  name: Name,
  email: Type.String({ description: '"" for who does not manage the staff' }),
  role: RoleName,
  is_active: Type.Boolean({ description: 'Whether the invitation has been taken up' }),
  is_disabled: Type.Boolean(),
})

const ListedColleague = namedObject('ListedColleague', {
  ...Colleague.properties,
  unconfirmed_by: Type.Array(Id, {
    description:
      'The administrators who gave them access, until another one confirms the person; none for who does not manage the staff',
  }),
})

const Invited = namedObject('Invited', {
  ...Colleague.properties,
  link: shownOnce(
    described(
      NullableString,
      'What the address of the link ends with: /welcome#link. Null where they have a password already, or work elsewhere, too',
    ),
  ),
})

const StaffId = described(Id, 'Member of staff')
const example = {
  staff_id: '0198c0de77777c41a2f0d8e6b4937215',
  name: '王芳',
  email: 'wang.fang@example.com',
  role: 'counsellor',
  is_active: false,
  is_disabled: false,
} as const
const corp_id = '0198c0de00007c41a2f0d8e6b4937215'
const link = 'Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12'

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const

/** Everybody has to know by name who advises whom. */
export const listStaff = endpoint({
  ...shared,
  permission: 'read',
  id: 'listStaff',
  method: 'GET',
  path: '/api/v5/console/staff/list',
  summary: 'List the staff of an organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(ListedColleague) }),
  example: {
    input: { corp_id },
    data: { list: [{ ...example, unconfirmed_by: ['0198c0de66667c41a2f0d8e6b4937215'] }] },
  },

  async handle({ db, organization, role }) {
    const { corp_id } = organization
    const colleagues = (await listColleagues(db, corp_id)).map(shown)
    if (role !== 'admin')
      return { list: colleagues.map((each) => ({ ...each, email: '', unconfirmed_by: [] })) }
    const ids = colleagues.map(({ staff_id }) => staff_id)
    const grants = await findGrantors(db, corp_id, ids)
    const grantorsOf = (id: string) =>
      grants
        .filter(({ account_id, granted_by }) => account_id === id && granted_by !== id)
        .map(({ granted_by }) => granted_by)
    return { list: colleagues.map((each) => ({ ...each, unconfirmed_by: grantorsOf(each.staff_id) })) }
  },
})

export const inviteColleague = endpoint({
  ...shared,
  id: 'inviteColleague',
  method: 'POST',
  path: '/api/v5/console/staff/invite',
  summary: 'Invite somebody to the staff',
  description:
    'There is no mail server: give them the link. It works once, for a week. Whoever works here already keeps their role: ' +
    'console/staff/role/update changes it.',
  input: Type.Object({ corp_id: OrganizationId, email: Email, name: Name, role: RoleName }),
  data: Invited,
  example: {
    input: { corp_id, email: example.email, name: example.name, role: 'counsellor' },
    data: { ...example, link },
  },
  errors: ['taken'],

  async handle(context, { corp_id, email, name, role }) {
    const wanted = { staff_id: context.newId(), corp_id, email, name, role }
    return granting(context, (tx) => inviteStaff(tx, wanted, context.now))
  },
})

export const resetColleague = endpoint({
  ...shared,
  id: 'resetColleague',
  method: 'POST',
  path: '/api/v5/console/staff/reset',
  summary: 'Make a link for a new password',
  description: 'For somebody who works in other organizations, too, only the command line can make one.',
  input: Type.Object({ corp_id: OrganizationId, staff_id: StaffId }),
  data: Invited,
  example: { input: { corp_id, staff_id: example.staff_id }, data: { ...example, link } },
  errors: ['staffNotFound'],

  async handle(context, input) {
    return granting(context, (tx) => resetPassword(tx, input, context.now))
  },
})

export const updateRole = endpoint({
  ...shared,
  id: 'updateRole',
  method: 'POST',
  path: '/api/v5/console/staff/role/update',
  summary: 'Give somebody another role, or none',
  input: Type.Object({
    corp_id: OrganizationId,
    staff_id: StaffId,
    role: Type.Unsafe<(typeof roleNames)[number] | 'none'>({
      type: 'string',
      enum: [...roleNames, 'none'],
      description: 'none: no longer part of the staff',
    }),
  }),
  data: Type.Object({ list: Type.Array(Colleague) }),
  example: {
    input: { corp_id, staff_id: example.staff_id, role: 'counsellor' },
    data: { list: [example] },
  },
  errors: ['staffNotFound', 'stateForbids'],

  async handle({ db, account, now }, { corp_id, staff_id, role }) {
    return db.transaction(async (tx) => {
      const before = (await findColleague(tx, corp_id, staff_id))?.role
      const changed = await changeRole(tx, { corp_id, staff_id, role: role === 'none' ? null : role }, now)
      if (role !== 'none' && before && givesMore(before, role))
        await noteAccess(tx, { corp_id, account_id: staff_id, granted_by: account.app_id }, now)
      return { list: changed.map(shown) }
    })
  },
})

/** Who makes a link holds it: what its owner does counts as theirs, until somebody else confirms the owner. */
async function granting(
  { db, organization: { corp_id }, account, now }: OrganizationContext,
  give: (tx: Queryable) => Promise<Invitation>,
) {
  return db.transaction(async (tx) => {
    const { link, ...colleague } = await give(tx)
    const grant = { corp_id, account_id: colleague.staff_id, granted_by: account.app_id }
    await noteAccess(tx, grant, now)
    return { ...shown(colleague), link }
  })
}

async function noteAccess(tx: Queryable, grant: AccessGrant, now: Date): Promise<void> {
  if (grant.account_id !== grant.granted_by) await noteGrant(tx, grant, now)
}

function givesMore(before: Role, after: Role): boolean {
  return roles[after].some((permission) => !(roles[before] as readonly string[]).includes(permission))
}

function shown({
  staff_id,
  name,
  email,
  role,
  is_active,
  is_disabled,
}: FoundColleague): Static<typeof Colleague> {
  return { staff_id, name, email, role, is_active, is_disabled }
}
