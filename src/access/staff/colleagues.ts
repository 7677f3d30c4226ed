import { type Static, Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { exampleIds } from '../../contract/example-ids.ts'
import { described, Email, Id, Name, namedObject, OrganizationId } from '../../contract/fields.ts'
import { shownOnce } from '../../contract/shown-once.ts'
import { findGrantors } from './access-grant-store.ts'
import './console-context.ts'
import { exampleLink, RoleName } from './fields.ts'
import { changeRole, type Invitation, inviteStaff, resetPassword } from './manage-staff.ts'
import { roleNames } from './roles.ts'
import { type Colleague as FoundColleague, listColleagues } from './staff-store.ts'

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
  link: shownOnce(described(Type.String(), 'What the address of the link ends with: /welcome#link')),
})

const StaffId = described(Id, 'Member of staff')
const example = {
  staff_id: exampleIds.staff_id,
  name: '王芳',
  email: 'wang.fang@example.com',
  role: 'counsellor',
  is_active: false,
  is_disabled: false,
} as const
const corp_id = exampleIds.corp_id

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const

/** Everybody has to know by name who advises whom. */
export const listStaff = endpoint({
  ...shared,
  permission: 'read',
  id: 'listStaff',
  method: 'GET',
  path: '/api/v5/console/staff/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the staff of an organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(ListedColleague) }),
  example: {
    input: { corp_id },
    data: { list: [{ ...example, unconfirmed_by: [exampleIds.administrator_id] }] },
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
  guard: { effect: 'grants', people: 'none' },
  summary: 'Invite somebody to the staff',
  description:
    'There is no mail server: give them the link. It works once, for a week. A colleague keeps their role: ' +
    'console/staff/role/update changes it. An account of the same address in another school stays as it is.',
  input: Type.Object({ corp_id: OrganizationId, email: Email, name: Name, role: RoleName }),
  data: Invited,
  example: {
    input: { corp_id, email: example.email, name: example.name, role: 'counsellor' },
    data: { ...example, link: exampleLink },
  },
  errors: ['taken', 'stateForbids'],

  async handle({ db, account, newId, now }, { corp_id, email, name, role }) {
    const wanted = { staff_id: newId(), corp_id, email, name, role, granted_by: account.app_id }
    return shownWithLink(await inviteStaff(db, wanted, now))
  },
})

export const resetColleague = endpoint({
  ...shared,
  id: 'resetColleague',
  method: 'POST',
  path: '/api/v5/console/staff/reset',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Make a link for a new password',
  description:
    'It ends nothing until it is used, and then every session and passkey of the account. A new link ends older ones.',
  input: Type.Object({ corp_id: OrganizationId, staff_id: StaffId }),
  data: Invited,
  example: { input: { corp_id, staff_id: example.staff_id }, data: { ...example, link: exampleLink } },
  errors: ['staffNotFound', 'stateForbids'],

  async handle({ db, account, now }, { corp_id, staff_id }) {
    const wanted = { corp_id, staff_id, granted_by: account.app_id }
    return shownWithLink(await resetPassword(db, wanted, now))
  },
})

export const updateRole = endpoint({
  ...shared,
  id: 'updateRole',
  method: 'POST',
  path: '/api/v5/console/staff/role/update',
  guard: { effect: 'grants', people: 'none' },
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
    const wanted = { corp_id, staff_id, role: role === 'none' ? null : role, granted_by: account.app_id }
    return { list: (await changeRole(db, wanted, now)).map(shown) }
  },
})

function shownWithLink({ link, ...colleague }: Invitation): Static<typeof Invited> {
  return { ...shown(colleague), link }
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
