import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { exampleCorp, examplePayer, PayerKind, PayerRow, payerOperation } from './payer-row.ts'
import { findPayer, findPayerPage, isUser } from './payer-store.ts'

/** Lists or searches payers. */
export const listPayers = endpoint({
  ...payerOperation,
  id: 'listPayers',
  method: 'GET',
  path: '/api/v5/entity/payer/list',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List payers',
  description: 'By name. A search covers name, contact name, reference and tax number.',
  input: Type.Object({
    corp_id: OrganizationId,
    search: Type.Optional(
      Type.String({
        format: 'line',
        pattern: '\\S',
        maxLength: longest.name,
        description: 'A part of a text',
      }),
    ),
    kind: Type.Optional(PayerKind),
    user_id: Type.Optional(described(Id, 'Only payers that are this user')),
    ...pageParameters,
  }),
  data: pageOf(PayerRow),
  example: {
    input: { corp_id: exampleCorp, search: 'harbour' },
    data: examplePage(examplePayer),
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, search, kind, user_id, ...input }) {
    const { page, page_size, limit, offset } = windowOf(input)
    if (user_id !== undefined && !(await isUser(db, corp_id, user_id))) throw new ApiError('userNotFound')
    const filter = { corp_id, search: search?.trim(), kind, user_id, limit, offset }
    const { total, list } = await findPayerPage<PayerRow>(db, filter, organization.time_zone)
    return { total, page, page_size, list }
  },
})

/** Fetches one payer. */
export const fetchPayer = endpoint({
  ...payerOperation,
  id: 'fetchPayer',
  method: 'GET',
  path: '/api/v5/entity/payer/fetch',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a payer',
  input: Type.Object({ corp_id: OrganizationId, payer_id: Id }),
  data: PayerRow,
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id },
    data: examplePayer,
  },
  errors: ['payerNotFound'],

  async handle({ db, organization }, { corp_id, payer_id }) {
    const payer = await findPayer<PayerRow>(db, corp_id, payer_id, organization.time_zone)
    if (!payer) throw new ApiError('payerNotFound')
    return payer
  },
})
