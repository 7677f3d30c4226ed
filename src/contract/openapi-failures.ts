import { STATUS_CODES } from 'node:http'
import type { Endpoint } from './endpoint.ts'
import { failure } from './envelope.ts'
import { ApiError, type ErrorName, errorCatalogue } from './errors.ts'
import { asksForConfirmation, worksReadOnly } from './guard.ts'
import { type HeaderName, headerRefs, ref } from './openapi-texts.ts'

type FailureResponse = ReturnType<typeof failureResponse>

/** The failures of operations. Most operations share them, so each set of codes with one status is a component. */
export function createFailures() {
  const responses: Record<string, FailureResponse> = {}
  const seen = new Set<ErrorName>()

  /** The failures of an operation by HTTP status. */
  function responsesOf(endpoint: Endpoint) {
    const names = namesInOrder(new Set(failuresOf(endpoint)))
    for (const name of names) seen.add(name)
    return Object.fromEntries(
      [...Map.groupBy(names, statusOf)].map(([status, names]) => {
        const component = nameOf(status, names)
        responses[component] ??= failureResponse(status, names)
        return [status, ref('responses', component)]
      }),
    )
  }

  const examples = () => Object.fromEntries(namesInOrder(seen).map((name) => [name, failureExample(name)]))

  return { responses, responsesOf, examples }
}

/** 40901 and 40904 are `Failure409_0104`. Generators make type names of it, some without the underscore. */
function nameOf(status: number, names: ErrorName[]): string {
  return `Failure${status}_${names.map((name) => `${errorCatalogue[name][0]}`.slice(-2)).join('')}`
}

/** The codes are an enum, so that the envelopes of an operation are a union that `code` discriminates. */
function failureResponse(status: number, names: ErrorName[]) {
  const codes = names.map((name) => errorCatalogue[name][0])
  const meanings = names.map((name) => `- \`${errorCatalogue[name][0]}\` ${errorCatalogue[name][1]}`)
  const more: HeaderName[] = []
  if (status === 400) more.push('X-Ignored-Parameters')
  if (status === 429) more.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
  if (status === 429 || status === 503 || names.includes('keyInFlight')) more.push('Retry-After')
  const code = { type: 'integer', enum: codes, description: 'Why the call failed.' }
  return {
    description: [`${STATUS_CODES[status]}`, meanings.join('\n')].join('\n\n'),
    headers: headerRefs(more),
    content: {
      'application/json': {
        schema: {
          allOf: [ref('schemas', 'Failure'), { type: 'object', required: ['code'], properties: { code } }],
        },
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
    [scope === 'organization', ['organizationNotGranted', 'quotaUsedUp']],
    [scope !== 'public', ['organizationSuspended']],
    [scope !== 'public' && asksForConfirmation(endpoint.guard), ['confirmationNeeded']],
    [takesKey(endpoint), ['keyReused', 'keyInFlight']],
    [endpoint.movesMoney === true, ['callUnsigned', 'callSignatureWrong', 'callSignatureStale']],
    [true, ['internal', 'unavailable']],
    [!worksReadOnly(endpoint), ['readOnly']],
  ]
  return [...shared.flatMap(([applies, names]) => (applies ? names : [])), ...errors]
}

/** Operations of the console accept sessions only. */
function needsSession({ group, scope }: Endpoint): boolean {
  return group === 'Console' && scope !== 'public'
}

export function takesToken(endpoint: Endpoint): boolean {
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
export function takesKey({ method, scope }: Endpoint): boolean {
  return method === 'POST' && scope === 'organization'
}
