import type { Endpoint } from '../../src/contract/endpoint.ts'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { answeredIds, keptIds } from './answered-ids.ts'

type Json = Record<string, unknown>

/** A request of a collection, with its expected response. */
export interface CollectedRequest {
  /** The expected code of an invalid request. */
  name: string
  method: 'GET' | 'POST'
  path: string
  query: [name: string, value: string][]
  body?: Json
  isPublic: boolean
  /** Sent without a token, to show the failure. */
  withoutToken: boolean
  description: string
  /** Ids of the answer that later requests take. */
  keeps: string[]
  response: { status: number; body: Json }
}

export interface Folder {
  name: string
  requests: CollectedRequest[]
}

/** Values that the caller sets, or that must be new in every call. */
const fresh: Record<string, string> = {
  corp_id: '{{corp_id}}',
  variable_name: 'v_{{$timestamp}}_{{$randomInt}}',
  external_id: 'external-{{$guid}}',
  contract_id: 'contract-{{$guid}}',
  charge_id: 'charge-{{$guid}}',
  entry_id: 'entry-{{$guid}}',
  email: '{{$guid}}@example.com',
}

/** A valid and an invalid request of every operation for programs, in a folder per group. */
export function foldersOf(endpoints: Endpoint[]): Folder[] {
  const folders = new Map<string, CollectedRequest[]>()
  for (const endpoint of endpoints) {
    const requests = folders.get(endpoint.group) ?? []
    requests.push(goodRequest(endpoint), badRequest(endpoint))
    folders.set(endpoint.group, requests)
  }
  return [...folders].map(([name, requests]) => ({ name, requests }))
}

/** The variables of ids that requests take from earlier answers. */
export function recordVariables(folders: Folder[]): string[] {
  return [...new Set(folders.flatMap(({ requests }) => requests.flatMap(({ keeps }) => keeps)))].sort()
}

function goodRequest(endpoint: Endpoint): CollectedRequest {
  const { summary, description = '', example } = endpoint
  const response = { status: 200, body: { code: 0, msg: 'success', data: example.data } as Json }
  return {
    ...requestOf(endpoint, inputOf(endpoint)),
    name: summary,
    description,
    keeps: keptIds(endpoint.id),
    response,
  }
}

function badRequest(endpoint: Endpoint): CollectedRequest {
  const required = (endpoint.input.required ?? []) as string[]
  const left = required.find((name) => name !== 'corp_id') ?? required[0]
  if (left === undefined) {
    const request = { ...requestOf(endpoint, {}), withoutToken: true }
    return { ...request, ...failure(endpoint, 'no token', 'noToken', []) }
  }
  const { [left]: _, ...rest } = inputOf(endpoint)
  const errors = [{ param: left, reason: 'is required' }]
  return { ...requestOf(endpoint, rest), ...failure(endpoint, `no ${left}`, 'missingParameter', errors) }
}

function failure(
  { summary }: Endpoint,
  fault: string,
  error: 'noToken' | 'missingParameter',
  errors: Json[],
): Pick<CollectedRequest, 'name' | 'description' | 'keeps' | 'response'> {
  const [code, msg] = errorCatalogue[error]
  const body = { code, msg, data: { request_id: '0198c0debbbb7c41a2f0d8e6b4937215', errors } }
  const status = Math.floor(code / 100)
  return { name: `${summary}, ${fault}: ${code}`, description: '', keeps: [], response: { status, body } }
}

function requestOf({ method, path, scope }: Endpoint, input: Json) {
  const query =
    method === 'GET'
      ? Object.entries(input).map(([name, value]): [string, string] => [name, queryValue(String(value))])
      : []
  return {
    method,
    path,
    query,
    ...(method === 'POST' && { body: input }),
    isPublic: scope === 'public',
    withoutToken: false,
  }
}

/** Encoded, except for variables. */
function queryValue(value: string): string {
  return value.includes('{{') ? value : encodeURIComponent(value)
}

/** The example, with variables for the organization, new values and the ids of earlier answers. */
function inputOf({ id, example }: Endpoint): Json {
  if (id === 'issueToken')
    return { app_id: '{{app_id}}', time_stamp: '{{time_stamp}}', signature: '{{signature}}' }
  const taken = Object.keys(answeredIds[id] ?? {}).map((name) => [name, `{{${name}}}`])
  const input = { ...(example.input as Json), ...Object.fromEntries(taken) }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fresh[name] ?? value]))
}
