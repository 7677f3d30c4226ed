import { STATUS_CODES } from 'node:http'
import type { Endpoint } from './endpoint.ts'
import { envelopeOf, Failure, failure, success } from './envelope.ts'
import { ApiError, type ErrorName, errorCatalogue } from './errors.ts'
import { asksForConfirmation } from './guard.ts'
import { createSchemas } from './openapi-schemas.ts'
import type { TSchema } from './type.ts'

type Schemas = ReturnType<typeof createSchemas>
type Responses = Record<string, ReturnType<typeof failureResponse>>

/** The OpenAPI 3.1 document of the catalogue, made from contracts. */
export function openApiOf(endpoints: Endpoint[], options: { version: string }) {
  const failures = new Set(endpoints.flatMap(failuresOf))
  const schemas = createSchemas()
  const responses: Responses = {}
  schemas.put('Failure', schemas.publish(Failure))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Matricula',
      version: options.version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document came from' }],
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({
      name,
      description: groupDescriptions[name],
    })),
    security: [{ bearer: [] }],
    paths: pathsOf(endpoints, schemas, responses),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token; it lives for two hours.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'matricula_session',
          description:
            'Of staff who are signed in to the console. They may call what accounts may call, too.',
        },
      },
      schemas: schemas.schemas,
      responses,
      parameters,
      headers,
      examples: Object.fromEntries(namesInOrder(failures).map((name) => [name, failureExample(name)])),
    },
  }
}

const introduction = `Admissions and enrolment: tokens, tags, users, orders and leads of an organization.

Every answer is an object with \`code\`, \`msg\` and \`data\`. \`code\` 0 is success; a failure has the matching HTTP
status and a code of the [error catalogue](/docs/errors), and \`data\` names every faulty parameter at once.
Amounts are integers in minor units of the record's currency, except where a field is described otherwise.

In a body, \`null\` in an optional member counts as left out. Texts have one line, without control characters, except for
descriptions, remarks, reasons, comments, tag values, and what forms ask and are answered.`

const groupDescriptions: Record<Endpoint['group'], string> = {
  Organizations: 'The organization of the records.',
  Tokens: 'Who is calling: access tokens, and whether one is valid',
  'Tag groups': 'What users can be tagged with',
  'User tags': 'The tags of a user',
  Users: 'The people of an organization: contacts, profiles, owners and pools',
  Orders: 'Orders, their instalments, payments and refunds, and how they came about',
  Leads: 'Raw data of people who showed interest',
  Finance: 'What a finance office asks of the ledger',
  Numbers: 'Figures of a school, each with the rows that it is the sum of',
  Offerings: 'Courses, their batches, and coupons',
  Console: 'What the console needs beyond: signing in, and the staff of an organization',
  Changes: 'Batches of changes, such as imports, and taking them back',
  Audit: 'Who changed or saw which record. A hash chain shows any tampering.',
  Events: 'What happened, in order: the feed',
  Webhooks: 'Events sent to addresses of the organization, signed as Standard Webhooks describes',
  Privacy: 'All that is held about a person: given out, and erased.',
}

const parameters = {
  AppId: {
    name: 'X-APP-ID',
    in: 'header',
    description: 'The account that obtained the token. Optional; where sent, it must agree with the token.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the call safe to repeat for 24 hours: the same key with the same body has its effect once, and is answered ' +
      'with the first answer and `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters, chosen by you, for this ' +
      'account and organization. With another body it is 40903; while the first call is under way, 40905. Failures are ' +
      'not kept.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  SignatureTimestamp: {
    name: 'X-Signature-Timestamp',
    in: 'header',
    description: 'Of accounts that sign what moves money: the Unix time in seconds, at most 300 seconds off.',
    schema: { type: 'string' },
  },
  Signature: {
    name: 'X-Signature',
    in: 'header',
    description:
      'Of accounts that sign what moves money: the hexadecimal HMAC-SHA-256, with the secret, of four lines without a ' +
      'line break at the end: X-Signature-Timestamp, POST, the path, and the hexadecimal SHA-256 of the body.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id of the call, at most 128 letters, digits, dots, hyphens or underscores.',
    schema: { type: 'string' },
  },
}

const headers = {
  'X-Request-Id': header('string', 'Id of the call: your own where you sent one'),
  'X-Service-Version': header('string', 'Version of the service that answered'),
  'X-Ignored-Parameters': header(
    'string',
    'Parameters that were sent but are not known, separated by commas',
  ),
  'Idempotent-Replayed': header(
    'string',
    'true where this is the first answer to the Idempotency-Key, again',
  ),
  'Retry-After': header('integer', 'Seconds to wait before the next try'),
  'RateLimit-Limit': header('integer', 'Calls a minute; only for accounts that have a limit'),
  'RateLimit-Remaining': header('integer', 'Calls left in this minute'),
  'RateLimit-Reset': header('integer', 'Seconds until the count starts again'),
}

type HeaderName = keyof typeof headers

function header(type: string, description: string) {
  return { description, schema: { type } }
}

function pathsOf(endpoints: Endpoint[], schemas: Schemas, responses: Responses) {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, responses),
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint, schemas: Schemas, responses: Responses) {
  const { id, group, summary, since, permission, scope } = endpoint
  return {
    operationId: id,
    tags: [group],
    summary,
    description: descriptionOf(endpoint),
    'x-since': since,
    ...(permission && { 'x-permission': permission }),
    ...(scope === 'public' && { security: [] }),
    ...(needsSession(endpoint) && { security: [{ session: [] }] }),
    parameters: [
      ...(endpoint.method === 'GET' ? queryParametersOf(endpoint, schemas) : []),
      ...(takesToken(endpoint) ? [ref('parameters', 'AppId')] : []),
      ...(takesKey(endpoint) ? [ref('parameters', 'IdempotencyKey')] : []),
      ...(endpoint.movesMoney
        ? [ref('parameters', 'SignatureTimestamp'), ref('parameters', 'Signature')]
        : []),
      ref('parameters', 'RequestId'),
    ],
    ...(endpoint.method === 'POST' && { requestBody: requestBodyOf(endpoint, schemas) }),
    responses: { 200: successOf(endpoint, schemas), ...failureResponsesOf(endpoint, responses) },
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

function queryParametersOf({ input, example }: Endpoint, { publish }: Schemas) {
  const required = new Set(input.required as string[] | undefined)
  return Object.entries(input.properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = publish(schema)
    const value = (example.input as Record<string, unknown>)[name]
    return {
      name,
      in: 'query',
      required: required.has(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(value !== undefined && { example: value }),
    }
  })
}

function requestBodyOf(endpoint: Endpoint, { put, publish }: Schemas) {
  const { input, oneOfSets, example } = endpoint
  const shapes = oneOfSets && { anyOf: oneOfSets.map((required) => ({ required })) }
  const schema = put(nameFor(endpoint, 'Input'), { ...publish(input), ...shapes })
  return { required: true, content: { 'application/json': { schema, example: example.input } } }
}

function successOf(endpoint: Endpoint, { put, publish }: Schemas) {
  const { data, example } = endpoint
  const published = publish(data)
  const shown = published.type === 'object' ? put(nameFor(endpoint, 'Data'), published) : published
  const envelope = publish(envelopeOf(data))
  const schema = put(nameFor(endpoint, 'Answer'), {
    ...envelope,
    properties: { ...(envelope.properties as object), data: shown },
  })
  return {
    description: 'Success',
    headers: headerRefs(['X-Ignored-Parameters', ...replayOf(endpoint), ...rateLimitOf(endpoint)]),
    content: { 'application/json': { schema, example: success(example.data) } },
  }
}

function nameFor({ id }: Endpoint, kind: string): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${kind}`
}

/** Most operations share failures, so these are components, named by their codes. */
function failureResponsesOf(endpoint: Endpoint, responses: Responses) {
  const byStatus = Map.groupBy(namesInOrder(new Set(failuresOf(endpoint))), statusOf)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const codes = names.map((name) => errorCatalogue[name][0])
      const name = [...codes, ...(endpoint.scope === 'public' ? ['public'] : [])].join('-')
      responses[name] ??= failureResponse(endpoint, status, names)
      return [status, ref('responses', name)]
    }),
  )
}

function failureResponse(endpoint: Endpoint, status: number, names: ErrorName[]) {
  const codes = names.map((name) => `- \`${errorCatalogue[name][0]}\` ${errorCatalogue[name][1]}`)
  const more: HeaderName[] = []
  if (status === 400) more.push('X-Ignored-Parameters')
  if (status === 429) more.push(...rateLimitOf(endpoint))
  if (status === 429 || status === 503 || names.includes('keyInFlight')) more.push('Retry-After')
  return {
    description: [`${STATUS_CODES[status]}`, codes.join('\n')].join('\n\n'),
    headers: headerRefs(more),
    content: {
      'application/json': {
        schema: ref('schemas', 'Failure'),
        examples: Object.fromEntries(names.map((name) => [name, ref('examples', name)])),
      },
    },
  }
}

/** Failures of all operations of its kind, then its own. */
function failuresOf(endpoint: Endpoint): ErrorName[] {
  const { input, method, scope, permission, errors = [] } = endpoint
  const shared: [applies: boolean, names: ErrorName[]][] = [
    [Object.keys(input.properties).length > 0, ['missingParameter', 'invalidParameter']],
    [method === 'POST', ['notJson', 'bodyTooLarge', 'unsupportedMediaType']],
    [
      takesToken(endpoint),
      ['noToken', 'invalidToken', 'expiredToken', 'revokedToken', 'appIdMismatch', 'addressNotAllowed'],
    ],
    [needsSession(endpoint), ['sessionEnded', 'otherOrigin']],
    [scope !== 'public', ['tooManyRequests']],
    [permission !== undefined, ['permissionMissing']],
    [scope === 'organization', ['organizationNotGranted']],
    [scope !== 'public' && asksForConfirmation(endpoint.guard), ['confirmationNeeded']],
    [takesKey(endpoint), ['keyReused', 'keyInFlight']],
    [endpoint.movesMoney === true, ['callUnsigned', 'callSignatureWrong', 'callSignatureStale']],
    [true, ['internal', 'unavailable']],
  ]
  return [...shared.flatMap(([applies, names]) => (applies ? names : [])), ...errors]
}

/** Operations of the console accept sessions only. */
function needsSession({ group, scope }: Endpoint): boolean {
  return group === 'Console' && scope !== 'public'
}

function takesToken(endpoint: Endpoint): boolean {
  return endpoint.scope !== 'public' && !needsSession(endpoint)
}

function namesInOrder(names: Set<ErrorName>): ErrorName[] {
  return (Object.keys(errorCatalogue) as ErrorName[]).filter((name) => names.has(name))
}

function statusOf(name: ErrorName): number {
  return new ApiError(name).status
}

function failureExample(name: ErrorName) {
  const error = new ApiError(name)
  return { summary: `${error.code}`, value: failure(error, '0198c0de5a3b7c41a2f0d8e6b4937215') }
}

/** Whether the operation accepts an Idempotency-Key: all that may change records of an organization. */
function takesKey({ method, scope }: Endpoint): boolean {
  return method === 'POST' && scope === 'organization'
}

function replayOf(endpoint: Endpoint): HeaderName[] {
  return takesKey(endpoint) ? ['Idempotent-Replayed'] : []
}

function rateLimitOf({ scope }: Endpoint): HeaderName[] {
  return scope === 'public' ? [] : ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
}

function headerRefs(more: HeaderName[]) {
  const names: HeaderName[] = ['X-Request-Id', 'X-Service-Version', ...more]
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}

function ref(kind: 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}
