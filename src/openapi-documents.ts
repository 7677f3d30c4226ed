import { openApiOf } from './contract/openapi.ts'
import { serviceVersion as version } from './contract/service-version.ts'
import { consoleOperations, integratorOperations } from './endpoints.ts'
import { webhookMessages } from './events/webhooks/webhook-messages.ts'

/** The OpenAPI documents by file name. The service serves them at its root, and docs/ has a copy. */
export const openApiDocuments = {
  'openapi.json': () =>
    openApiOf(integratorOperations, { version, audience: 'integrators', webhooks: webhookMessages }),
  'openapi-console.json': () => openApiOf(consoleOperations, { version, audience: 'console', webhooks: [] }),
}
