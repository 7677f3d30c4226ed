import type { Endpoint } from './endpoint.ts'

/** The readers of a document. */
export type Audience = 'integrators' | 'console'

const conventions = `Every answer is an object with \`code\`, \`msg\` and \`data\`. \`code\` 0 is success; a failure has the matching HTTP
status and a code of the [error catalogue](/docs/errors), and \`data\` names every faulty parameter at once.
Answers to an account that has a rate limit carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.
Clients must accept members that they do not know: later versions may add some.

Amounts are integers in minor units of the record's currency, except where a field is described otherwise.

In a body, \`null\` in an optional member counts as left out. Texts have one line, without control characters, except for
descriptions, remarks, reasons, comments, tag values, and what forms ask and are answered.`

export const introductions: Record<Audience, string> = {
  integrators: `Admissions and enrolment: tokens, tags, users, orders and leads of an organization.

These are the operations that programs can call. The operations of the console are described in
[a document of their own](/docs/console).

${conventions}`,
  console: `The operations that the console adds to [those for integrators](/docs): signing in, and the settings and staff of
an organization. They accept the session of a member of staff. Programs cannot call them, and they may change with every
version.

${conventions}`,
}

export const groupDescriptions: Record<Endpoint['group'], string> = {
  Organizations: 'The organization of the records.',
  Tokens: 'Access tokens: issue and verification',
  'Tag groups': 'Groups of tags for users',
  'User tags': 'The tags of a user',
  Users: 'The people of an organization: contacts, profiles, owners and pools',
  Orders: 'Orders, their instalments, payments and refunds, and how they came about',
  Leads: 'Raw data of people who showed interest',
  Finance: 'Reports and closings of the ledger',
  Numbers: 'Figures of a school, each with the rows that it is the sum of',
  Offerings: 'Courses, their batches, and coupons',
  Console: 'Signing in, and the staff of an organization',
  Changes: 'Batches of changes, such as imports, and taking them back',
  Audit: 'Changes and disclosures of records, with their authors. A hash chain shows any tampering.',
  Events: 'The feed: all changes in their order',
  Webhooks: 'Events sent to addresses of the organization, signed as Standard Webhooks describes',
  Privacy: 'All that is held about a person: given out, and erased.',
}

export const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token. It is valid for two hours.',
}
export const session = {
  type: 'apiKey',
  in: 'cookie',
  name: 'matricula_session',
  description: 'The session of a member of staff who is signed in to the console.',
}

export const parameters = {
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

export const headers = {
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

export type HeaderName = keyof typeof headers

function header(type: string, description: string) {
  return { description, schema: { type } }
}

export function headerRefs(more: HeaderName[]) {
  const names: HeaderName[] = ['X-Request-Id', 'X-Service-Version', ...more]
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}

export function ref(kind: 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}
