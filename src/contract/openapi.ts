import type { Endpoint } from './endpoint.ts'
import { Failure, success } from './envelope.ts'
import { createFailures, takesKey, takesToken } from './openapi-failures.ts'
import { createParameters } from './openapi-parameters.ts'
import { createSchemas } from './openapi-schemas.ts'
import {
  type Audience,
  bearer,
  groupDescriptions,
  type HeaderName,
  headerRefs,
  headers,
  introductions,
  parameters,
  ref,
  session,
} from './openapi-texts.ts'
import { type WebhookMessage, webhookParameters, webhookResponses, webhooksOf } from './openapi-webhooks.ts'
import { refusesUnknown } from './validate.ts'

interface Options {
  version: string
  audience: Audience
  webhooks: WebhookMessage[]
}

/** The components of a document, which grow while its operations are written. */
function createComponents(endpoints: Endpoint[]) {
  const schemas = createSchemas()
  return { ...schemas, failures: createFailures(), queries: createParameters(endpoints, schemas) }
}
type Components = ReturnType<typeof createComponents>

/** The OpenAPI 3.1 document of operations and of the messages to webhooks, made from contracts. */
export function openApiOf(endpoints: Endpoint[], { version, audience, webhooks }: Options) {
  const components = createComponents(endpoints)
  const { schemas, failures, queries } = components
  const { IdempotencyKey, RequestId } = parameters
  components.put('Failure', components.publish(Failure, 'Failure'))
  return {
    openapi: '3.1.0',
    info: {
      title: audience === 'console' ? 'Matricula console' : 'Matricula',
      version,
      description: introductions[audience],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document came from' }],
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({
      name,
      description: groupDescriptions[name],
    })),
    security: audience === 'console' ? [{ session: [] }] : [{ bearer: [] }],
    paths: pathsOf(endpoints, components),
    ...(webhooks.length > 0 && { webhooks: webhooksOf(webhooks, components) }),
    components: {
      securitySchemes: audience === 'console' ? { session } : { bearer },
      schemas,
      responses: { ...failures.responses, ...(webhooks.length > 0 && webhookResponses) },
      parameters: {
        ...(audience === 'console' ? { IdempotencyKey, RequestId } : parameters),
        ...queries.shared,
        ...(webhooks.length > 0 && webhookParameters),
      },
      headers,
      examples: failures.examples(),
    },
  }
}

function pathsOf(endpoints: Endpoint[], components: Components) {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, components),
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint, components: Components) {
  const { id, group, summary, since, permission, scope } = endpoint
  return {
    operationId: id,
    tags: [group],
    summary,
    description: descriptionOf(endpoint),
    'x-since': since,
    ...(permission && { 'x-permission': permission }),
    ...(scope === 'public' && { security: [] }),
    parameters: [
      ...components.queries.of(endpoint),
      ...(takesToken(endpoint) ? [ref('parameters', 'AppId')] : []),
      ...(takesKey(endpoint) ? [ref('parameters', 'IdempotencyKey')] : []),
      ...(endpoint.movesMoney
        ? [ref('parameters', 'SignatureTimestamp'), ref('parameters', 'Signature')]
        : []),
      ref('parameters', 'RequestId'),
    ],
    ...(endpoint.method === 'POST' && { requestBody: requestBodyOf(endpoint, components) }),
    responses: { 200: successOf(endpoint, components), ...components.failures.responsesOf(endpoint) },
  }
}

function descriptionOf({ description, since, permission, staffPermission, scope }: Endpoint): string {
  const access =
    scope === 'public'
      ? 'Needs no token.'
      : scope === 'staff'
        ? 'Needs somebody who is signed in.'
        : permission
          ? `Needs the permission \`${permission}\`${staffPermission ? `, of staff \`${staffPermission}\`` : ''}.`
          : 'Needs a token.'
  return [description, `Since ${since}. ${access}`].filter(Boolean).join('\n\n')
}

function requestBodyOf(endpoint: Endpoint, components: Components) {
  const schema = components.put(nameFor(endpoint, 'Input'), inputOf(endpoint, components))
  return { required: true, content: { 'application/json': { schema, example: endpoint.example.input } } }
}

/** The members of a call. Where one of several sets is required, generated clients have a type for each. */
function inputOf(endpoint: Endpoint, { put, publish }: Components) {
  const { input, oneOfSets, setsExclude } = endpoint
  const closed = refusesUnknown(endpoint) && { additionalProperties: false }
  const all: Record<string, unknown> = { ...publish(input, nameFor(endpoint, 'Input')), ...closed }
  if (!oneOfSets) return all
  if (!setsExclude) return { ...all, anyOf: oneOfSets.map((required) => ({ required })) }
  const sets = oneOfSets as string[][]
  const shapes = sets.map((set) => {
    const others = new Set(sets.flat().filter((name) => !set.includes(name)))
    const properties = Object.fromEntries(
      Object.entries(all.properties as object).filter(([name]) => !others.has(name)),
    )
    const required = [...((input.required as string[] | undefined) ?? []), ...set]
    return put(nameFor(endpoint, `By${pascal(set.at(-1)!)}`), { ...all, required, properties })
  })
  return { oneOf: shapes }
}

function successOf(endpoint: Endpoint, { put, publish }: Components) {
  const { data, example } = endpoint
  const name = nameFor(endpoint, 'Data')
  const published = publish(data, name)
  const shown = published.type === 'object' ? put(name, published) : published
  const schema = put(nameFor(endpoint, 'Answer'), {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: {
      code: { type: 'integer', const: 0, description: '0: the call succeeded.' },
      msg: { type: 'string', description: 'Always "success".' },
      data: { description: 'The result.', ...shown },
    },
  })
  return {
    description: 'Success',
    headers: headerRefs(['X-Ignored-Parameters', ...replayOf(endpoint)]),
    content: { 'application/json': { schema, example: success(example.data) } },
  }
}

function nameFor({ id }: Endpoint, kind: string): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${kind}`
}

/** `payer_user_id` is PayerUserId. */
function pascal(name: string): string {
  return name
    .split('_')
    .map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}`)
    .join('')
}

function replayOf(endpoint: Endpoint): HeaderName[] {
  return takesKey(endpoint) ? ['Idempotent-Replayed'] : []
}
