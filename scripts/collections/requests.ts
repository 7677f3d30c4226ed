import type { Endpoint } from '../../src/contract/endpoint.ts'
import { errorCatalogue } from '../../src/contract/errors.ts'

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
  response: { status: number; body: Json }
}

export interface Folder {
  name: string
  requests: CollectedRequest[]
}

/** Ids that a caller chooses or that belong to other systems. They are sent as in the example. */
const ownIds = /^((add_|remove_)?owner_ids?|external_id|contract_id|entry_id|page_id|app_id|oid|holder_id)$/

/** Values that must be new in every call. */
const fresh: Record<string, string> = {
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

/** The variables that requests use for ids of records. */
export function recordVariables(folders: Folder[]): string[] {
  const text = JSON.stringify(folders)
  const names = [...text.matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name]) => name!)
  return [...new Set(names)].filter((name) => !settings.includes(name)).sort()
}

/** Variables that the caller sets, and those that the script sets before each request. */
const settings = ['base_url', 'corp_id', 'app_id', 'secret', 'token', 'time_stamp', 'signature']

function goodRequest(endpoint: Endpoint): CollectedRequest {
  const { summary, description = '', example } = endpoint
  const response = { status: 200, body: { code: 0, msg: 'success', data: example.data } as Json }
  return { ...requestOf(endpoint, inputOf(endpoint)), name: summary, description, response }
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
): Pick<CollectedRequest, 'name' | 'description' | 'response'> {
  const [code, msg] = errorCatalogue[error]
  const body = { code, msg, data: { request_id: '0198c0debbbb7c41a2f0d8e6b4937215', errors } }
  const status = Math.floor(code / 100)
  return { name: `${summary}, ${fault}: ${code}`, description: '', response: { status, body } }
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

/** The example, with variables for the organization and its records. */
function inputOf({ id, example }: Endpoint): Json {
  const input = placed(example.input as Json)
  if (id !== 'issueToken') return input
  return { app_id: '{{app_id}}', time_stamp: '{{time_stamp}}', signature: '{{signature}}' }
}

function placed(input: Json): Json {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, placedValue(name, value)]))
}

function placedValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return fresh[name] ?? (isRecordId(name) ? `{{${name}}}` : value)
  if (Array.isArray(value))
    return value.map((item) =>
      isPlainObject(item) ? placed(item) : placedValue(name.replace(/s$/, ''), item),
    )
  return isPlainObject(value) ? placed(value) : value
}

function isRecordId(name: string): boolean {
  return /(^|_)id$/.test(name) && !ownIds.test(name)
}

function isPlainObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
