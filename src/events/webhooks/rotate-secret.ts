import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { Type } from '../../contract/type.ts'
import { EndpointWithSecret, newWebhookSecret, sealedSecret } from './create-endpoint.ts'
import { exampleEndpoint, exampleSecret, namedEndpoint, rowOf, webhookOperation } from './endpoint-row.ts'
import { replaceSecret } from './endpoint-store.ts'
import { requireEndpoint } from './update-endpoint.ts'

/** A replaced secret signs for this long besides the new one. */
const overlapMs = 24 * 60 * 60 * 1000

export const rotateWebhookSecret = endpoint({
  ...webhookOperation,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v5/entity/webhook/endpoint/rotate',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create a new secret for a webhook endpoint, shown once',
  description:
    'For 24 hours, deliveries carry two signatures, of the new secret and of the one before it, so that the receiver can ' +
    'switch. Another rotation within this time ends the oldest secret at once.',
  input: Type.Object(namedEndpoint),
  data: EndpointWithSecret,
  example: {
    input: { corp_id: exampleIds.corp_id, endpoint_id: exampleIds.webhook_endpoint_id },
    data: { ...exampleEndpoint, old_secret_until: '2026-11-16T01:30:00.000Z', secret: exampleSecret },
  },
  errors: ['webhookEndpointNotFound'],

  async handle({ db, keyring, newId, now }, { corp_id, endpoint_id }) {
    const secret = newWebhookSecret()
    return db.transaction(async (tx) => {
      await requireEndpoint(tx, corp_id, endpoint_id)
      const secret_id = newId()
      const sealed = sealedSecret(keyring, corp_id, endpoint_id, secret, secret_id, now)
      await replaceSecret(tx, corp_id, sealed, new Date(now.getTime() + overlapMs))
      tx.note({
        record_type: 'webhook_endpoints',
        record_id: endpoint_id,
        action: 'changed',
        after: { secret_id },
      })
      return { ...(await rowOf(tx, corp_id, endpoint_id, now)), secret }
    })
  },
})
