import { shownOnce } from '../../contract/contacts.ts'
import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, Email, Id, Name, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { type Colleague as FoundColleague, findGrantors, listColleagues } from './staff-store.ts'
import './console-context.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { mailLanguages } from '../mail/mail-words.ts'
import { languageOfSchool } from '../mail/queue-mail.ts'
import { exampleLink, RoleName } from './fields.ts'
import { changeRole, type Invitation, inviteStaff, type LinkMail, resetPassword } from './manage-staff.ts'
import { roleNames } from './roles.ts'

const Colleague = namedObject('Colleague', {
  staff_id: Id,
  name: Name,
  email: Type.String({ description: '"" unless the caller manages the staff' }),
  role: RoleName,
  is_active: Type.Boolean({ description: 'Whether the invitation was accepted' }),
  is_disabled: Type.Boolean(),
})

const ListedColleague = namedObject('ListedColleague', {
  ...Colleague.properties,
  unconfirmed_by: Type.Array(Id, {
    description:
      'The administrators who gave them access, until another administrator confirms the person; empty unless the caller manages the staff',
  }),
})

const Invited = namedObject('Invited', {
  ...Colleague.properties,
  link: shownOnce(described(Type.String(), 'The last part of the link: /welcome#link')),
  url: shownOnce(described(Type.String(), 'The whole link; "" if the public address is not configured')),
  is_mailed: Type.Boolean({
    description: 'Whether the link is sent by mail; console/mail/list tells what became of it',
  }),
})

const Language = Type.Optional(
  oneOf(mailLanguages, 'Language of the mail; default: that of the country of the school'),
)

const StaffId = described(Id, 'Member of staff')
const example = {
  staff_id: exampleIds.staff_id,
  name: '王芳',
  email: 'wang.fang@example.com',
  role: 'counsellor',
  is_active: false,
  is_disabled: false,
} as const
const exampleInvited = {
  ...example,
  link: exampleLink,
  url: `https://matricula.example.edu/welcome#${exampleLink}`,
  is_mailed: true,
}
const corp_id = exampleIds.corp_id

const shared = { group: 'Console', permission: 'admin' } as const

/** All staff see the names: records show who advises a person. */
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
  summary: 'Invite a person to the staff',
  description:
    'If the service sends mail, the person gets the link by mail; otherwise pass it on. It works once, for a week. An ' +
    'existing colleague keeps their role, which console/staff/role/update changes. An account with the same address in another school is not affected.',
  input: Type.Object({
    corp_id: OrganizationId,
    email: Email,
    name: Name,
    role: RoleName,
    language: Language,
  }),
  data: Invited,
  example: {
    input: { corp_id, email: example.email, name: example.name, role: 'counsellor' },
    data: exampleInvited,
  },
  errors: ['taken', 'stateForbids'],

  async handle(context, { corp_id, email, name, role, language }) {
    const { db, account, newId, now } = context
    const wanted = { staff_id: newId(), corp_id, email, name, role, granted_by: account.app_id }
    return shownWithLink(context, await inviteStaff(db, wanted, now, mailOf(context, language)))
  },
})

export const resetColleague = endpoint({
  ...shared,
  id: 'resetColleague',
  method: 'POST',
  path: '/api/v5/console/staff/reset',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create a link to choose a new password',
  description:
    'Using the link ends every session and passkey of the account. A new link invalidates older ones.',
  input: Type.Object({ corp_id: OrganizationId, staff_id: StaffId, language: Language }),
  data: Invited,
  example: { input: { corp_id, staff_id: example.staff_id }, data: exampleInvited },
  errors: ['staffNotFound', 'stateForbids'],

  async handle(context, { corp_id, staff_id, language }) {
    const { db, account, now } = context
    const wanted = { corp_id, staff_id, granted_by: account.app_id }
    return shownWithLink(context, await resetPassword(db, wanted, now, mailOf(context, language)))
  },
})

export const updateRole = endpoint({
  ...shared,
  id: 'updateRole',
  method: 'POST',
  path: '/api/v5/console/staff/role/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Change the role of a colleague, or remove it',
  input: Type.Object({
    corp_id: OrganizationId,
    staff_id: StaffId,
    role: Type.Unsafe<(typeof roleNames)[number] | 'none'>({
      type: 'string',
      enum: [...roleNames, 'none'],
      description: 'none: no longer a member of staff',
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

type MailContext = Pick<OrganizationContext, 'publicOrigin' | 'sendsMail' | 'keyring' | 'organization'>

/** How the link is sent; undefined if the service sends no mail. */
function mailOf(
  { publicOrigin, sendsMail, keyring, organization }: MailContext,
  language = languageOfSchool(organization),
): LinkMail | undefined {
  if (!sendsMail || publicOrigin === undefined) return undefined
  return { publicOrigin, keyring, school: organization, language }
}

function shownWithLink(
  { publicOrigin, sendsMail = false }: MailContext,
  { link, ...colleague }: Invitation,
): Static<typeof Invited> {
  const url = publicOrigin === undefined ? '' : `${publicOrigin}/welcome#${link}`
  return { ...shown(colleague), link, url, is_mailed: sendsMail }
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
