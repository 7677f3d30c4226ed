import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../access/organizations/keyring.ts'
import { shownOnce } from '../../contract/contacts.ts'
import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../../contract/errors.ts'
import { namedObject, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { findFeed } from '../feed-store.ts'
import { webhookSecret } from '../standard-webhooks.ts'
import { selectTypes } from '../types-filter.ts'
import {
  EndpointRow,
  endpointParameters,
  exampleEndpoint,
  exampleSecret,
  rowOf,
  webhookOperation,
} from './endpoint-row.ts'
import {
  countEndpoints,
  type EndpointSecret,
  insertEndpoint,
  replaceSecret,
  sealNameOf,
} from './endpoint-store.ts'
import { addressFault } from './webhook-address.ts'

/** Endpoints of one organization. */
const maxEndpoints = 50

export const EndpointWithSecret = namedObject('WebhookEndpointWithSecret', {
  ...EndpointRow.properties,
  secret: shownOnce(Type.String({ description: 'Verifies signatures (Standard Webhooks). Shown only once' })),
})

/** Adds an address that receives events. */
export const createWebhookEndpoint = endpoint({
  ...webhookOperation,
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/api/v5/entity/webhook/endpoint/create',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create a webhook endpoint',
  description:
    'The endpoint receives the events after its creation, signed as Standard Webhooks describes. Verify signatures with ' +
    '`secret`, which is shown only here. Events hold ids and names of changed members, nothing personal.',
  input: Type.Object({ corp_id: OrganizationId, ...endpointParameters }),
  data: EndpointWithSecret,
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      url: exampleEndpoint.url,
      types: exampleEndpoint.types,
      description: exampleEndpoint.description,
    },
    data: {
      ...exampleEndpoint,
      health: 'new',
      delivered_at: null,
      secret: exampleSecret,
    },
  },
  errors: ['taken', 'stateForbids'],

  async handle(context, { corp_id, url, types, description = '' }) {
    const { db, keyring, newId, now, allowsPrivateWebhooks = false } = context
    requireAddress(url, allowsPrivateWebhooks)
    requireTypes(types)
    const endpoint_id = newId()
    const secret = newWebhookSecret()
    return refuseTakenUrl(() =>
      db.transaction(async (tx) => {
        if ((await countEndpoints(tx, corp_id)) >= maxEndpoints)
          throw new ApiError('stateForbids', {
            msg: `An organization has at most ${maxEndpoints} webhook endpoints. Remove one first.`,
            allowed: [],
          })
        const made = {
          ...{ endpoint_id, url, types, description },
          ...{ is_enabled: true, disabled_reason: null, disabled_at: null },
          ...{ version: 1, ctime: now, mtime: now },
        }
        await insertEndpoint(tx, corp_id, made, (await findFeed(tx, corp_id)).length)
        await replaceSecret(
          tx,
          corp_id,
          sealedSecret(keyring, corp_id, endpoint_id, secret, newId(), now),
          now,
        )
        return { ...(await rowOf(tx, corp_id, endpoint_id, now)), secret }
      }),
    )
  },
})

export function requireAddress(url: string, allowsPrivate: boolean): void {
  const fault = addressFault(url, allowsPrivate)
  if (fault) throw invalid('url', fault)
}

/** Administrators see all types. */
export const allTypes = { permissions: ['read', 'finance'] as ('read' | 'finance')[] }

export function requireTypes(types: string[]): void {
  selectTypes(types, allTypes)
}

/** A secret as Standard Webhooks writes them. */
export function newWebhookSecret(): string {
  return webhookSecret(randomBytes(32))
}

export function sealedSecret(
  keyring: Keyring,
  corp_id: string,
  endpoint_id: string,
  secret: string,
  secret_id: string,
  now: Date,
): EndpointSecret {
  const sealed = keyring.seal(sealNameOf(corp_id, endpoint_id), secret)
  return { ...sealed, endpoint_id, secret_id, ctime: now, expires_at: null }
}

export async function refuseTakenUrl<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error, 'webhook_endpoints_by_url'))
      throw taken('url', 'belongs to another webhook endpoint')
    throw error
  }
}
