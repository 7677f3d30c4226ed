import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { EndpointRow, endpointRow, exampleEndpoint, webhookOperation } from './endpoint-row.ts'
import { findEndpointHealth } from './endpoint-store.ts'

export const listWebhookEndpoints = endpoint({
  ...webhookOperation,
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/api/v5/entity/webhook/endpoint/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List webhook endpoints with their health',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(EndpointRow) }),
  example: { input: { corp_id: exampleIds.corp_id }, data: { list: [exampleEndpoint] } },

  async handle({ db, now }, { corp_id }) {
    return { list: (await findEndpointHealth(db, corp_id, now)).map(endpointRow) }
  },
})
