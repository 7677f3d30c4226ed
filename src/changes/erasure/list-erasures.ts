import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, namedObject, OrganizationId, oneOf, Timestamp } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { findErasurePage } from './tombstone-store.ts'

const Erasure = namedObject('Erasure', {
  user_id: described(Id, 'The user or the payer'),
  kind: oneOf(['user', 'payer']),
  time: Timestamp,
  reason: Type.String(),
  executor_id: Type.String({ description: 'Author of the erasure' }),
  contacts: Type.Integer({ description: 'Number of contacts that are recognised' }),
  is_complete: Type.Boolean({
    description: 'Whether uploaded files have been searched, too',
  }),
  lifted_time: described(Timestamp, 'When an administrator lifted it; "" while it is in force'),
  lifted_by: Type.String(),
})

/** Erased people, and whether each erasure is in force. */
export const listErasures = endpoint({
  id: 'listErasures',
  method: 'GET',
  path: '/api/v5/entity/user/erasure/list',
  group: 'Privacy',
  since: 'Ver5.2026-11-17',
  permission: 'admin',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List erasures',
  description: 'Newest first. The list does not identify the people.',
  input: Type.Object({ corp_id: OrganizationId, ...pageParameters }),
  data: pageOf(Erasure),
  example: {
    input: { corp_id: 'lakeside', page: 0, page_size: 10 },
    data: examplePage({
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      kind: 'user' as const,
      time: '2026-11-17 09:30:05',
      reason: 'Asked for it on 14 November',
      executor_id: '0198c0de77777c41a2f0d8e6b4937215',
      contacts: 2,
      is_complete: true,
      lifted_time: '',
      lifted_by: '',
    }),
  },

  async handle({ db, organization }, asked) {
    const { page, page_size, ...window } = windowOf(asked)
    return { page, page_size, ...(await findErasurePage(db, organization, window)) }
  },
})
