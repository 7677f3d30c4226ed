import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import {
  described,
  Id,
  NullableInteger,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { mailKinds } from './compose-mail.ts'
import { findMailPage } from './mail-store.ts'
import { mailProblems } from './send-mail.ts'

const MailRow = namedObject('Mail', {
  mail_id: Id,
  kind: oneOf(mailKinds),
  record_type: Type.String(),
  record_id: described(Type.String(), 'Subject of the mail, such as a member of staff'),
  state: oneOf(['waiting', 'sent', 'failed'], 'sent: the mail server has accepted it'),
  problem: Type.Unsafe<(typeof mailProblems)[number] | ''>({
    type: 'string',
    enum: [...mailProblems, ''],
    description:
      'Why the last attempt failed. refused: the server refused the recipient or the mail; unknown: the connection ended ' +
      'before the server answered, so that the mail may have been sent, and is not repeated',
  }),
  status: described(NullableInteger, 'The reply code of the mail server'),
  attempts: Type.Integer(),
  executor_id: Type.String(),
  ctime: Timestamp,
  mtime: Timestamp,
})

const example: Static<typeof MailRow> = {
  mail_id: '0198c0deeeee7c41a2f0d8e6b4937215',
  kind: 'invitation',
  record_type: 'staff',
  record_id: exampleIds.staff_id,
  state: 'failed',
  problem: 'refused',
  status: 550,
  attempts: 1,
  executor_id: exampleIds.administrator_id,
  ctime: '2026-11-15 10:00:00',
  mtime: '2026-11-15 10:00:02',
}

/** Without address and text: these are sealed, and removed once a mail has ended. */
export const listMails = endpoint({
  id: 'listMails',
  method: 'GET',
  path: '/api/v5/console/mail/list',
  group: 'Console',
  since: 'Ver5.2026-11-18',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List mails and what became of them, the newest first',
  description: 'Mails that ended are listed for 90 days.',
  input: Type.Object({
    corp_id: OrganizationId,
    record_id: Type.Optional(described(Id, 'Mails about this record only')),
    ...pageParameters,
  }),
  data: pageOf(MailRow),
  example: {
    input: { corp_id: exampleIds.corp_id, record_id: exampleIds.staff_id },
    data: { total: 1, page: 0, page_size: 10, list: [example] },
  },

  async handle({ db, organization }, { corp_id, record_id, ...paging }) {
    const { page, page_size, limit, offset } = windowOf(paging)
    const found = await findMailPage(db, corp_id, { record_id, limit, offset }, organization.time_zone)
    const list = found.list.map((mail) => ({ ...mail, problem: mail.problem as (typeof example)['problem'] }))
    return { total: found.total, page, page_size, list }
  },
})
