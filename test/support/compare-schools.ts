import type { Endpoint } from '../../src/contract/endpoint.ts'
import { catalogue } from '../../src/endpoints.ts'
import type { Answer } from '../harness/server.ts'

type Input = Record<string, unknown>
/** Calls an operation of one installation. */
export type Ask = (endpoint: Endpoint, input: Input) => Promise<Pick<Answer, 'code' | 'data'>>

/** Members that depend on the installation or the moment of the call, not on the school. */
const ofInstallation = new Set([
  // A feed starts a new epoch.
  'next_cursor',
  'newest_cursor',
  'oldest_cursor',
  // The database's clock.
  'as_of',
  // Passwords and secrets are not exported.
  'is_active',
  'has_password',
  'secrets',
  // Without secrets, webhooks are paused.
  'is_enabled',
  'disabled_reason',
  'disabled_at',
  'health',
])

/** Operations about data that an export omits, or that record the calls themselves. */
const incomparable: Record<string, string> = {
  listAudit: 'has the entries of this comparison',
  exportAudit: 'has the entries of this comparison',
  listExports: 'files of the last day',
  fetchExport: 'files of the last day',
  fetchUsage: 'the usage of each installation',
  fetchSignInProvider: 'holds a secret',
  listSignInDomains: 'each installation verifies domains itself',
}

export interface Comparison {
  calls: number
  /** Number of calls of each operation that succeeded with the same response. */
  same: Map<string, number>
  /** Operations of which no call succeeded. */
  unanswered: string[]
  /** The first difference of each pair of answers. */
  differences: { operation: string; input: Input; path: string; first: unknown; second: unknown }[]
}

const pageSize = 1000

/**
 * Calls every list and fetch operation of the catalogue in two installations, with known ids and ids in responses of the
 * first one, and compares the responses.
 */
export async function compareSchools(
  corp_id: string,
  first: Ask,
  second: Ask,
  { idsPerOperation, known }: { idsPerOperation: number; known: Record<string, string[]> },
): Promise<Comparison> {
  const comparison: Comparison = { calls: 0, same: new Map(), unanswered: [], differences: [] }
  const found = new Map(Object.entries(known).map(([name, ids]) => [name, new Set(ids)]))
  const operations = catalogue.filter(
    ({ method, scope, id }) => method === 'GET' && scope === 'organization' && !incomparable[id],
  )
  const compare = async (endpoint: Endpoint, input: Input) => {
    const [one, other] = [await first(endpoint, input), await second(endpoint, input)]
    comparison.calls++
    harvest(one.data, found)
    const [left, right] = [told(one), told(other)]
    const difference = firstDifference(left, right, '')
    if (difference) comparison.differences.push({ operation: endpoint.id, input, ...difference })
    else if (one.code === 0) comparison.same.set(endpoint.id, (comparison.same.get(endpoint.id) ?? 0) + 1)
    return one
  }
  // Lists first: their responses name the records that the others fetch.
  const byNeeds = operations.toSorted((a, b) => neededBy(a).length - neededBy(b).length)
  for (const endpoint of byNeeds) {
    for (const needed of inputsOf(endpoint, found, idsPerOperation)) {
      const input = { corp_id, ...needed }
      if (!('page' in endpoint.input.properties)) await compare(endpoint, input)
      else
        for (let page = 0; ; page++) {
          const { data } = await compare(endpoint, { ...input, page, page_size: pageSize })
          if (!(data?.list?.length === pageSize)) break
        }
    }
  }
  const differing = comparison.differences.map(({ operation }) => operation)
  comparison.unanswered = operations
    .map(({ id }) => id)
    .filter((id) => !comparison.same.has(id) && !differing.includes(id))
  return comparison
}

function neededBy({ input }: Endpoint): string[] {
  return ((input.required as string[] | undefined) ?? []).filter((name) => name !== 'corp_id')
}

/** The inputs of an operation: each of the known ids of its parameters, and its example for the rest. */
function inputsOf(endpoint: Endpoint, found: Map<string, Set<string>>, most: number): Input[] {
  const needed = neededBy(endpoint)
  const example = endpoint.example.input as Input
  const alternatives = oneOf(endpoint)
  const names = needed.length > 0 ? needed : alternatives
  const known = names.map((name) => [...(found.get(name) ?? [])].slice(0, most))
  const count = Math.max(1, ...known.map((ids) => ids.length))
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(names.map((name, place) => [name, known[place]![index] ?? example[name]])),
  )
}

/** An operation that takes one of several ids names them in its example. */
function oneOf(endpoint: Endpoint): string[] {
  const example = Object.keys(endpoint.example.input as Input)
  return example.filter((name) => /_id$/.test(name) && name !== 'corp_id')
}

function harvest(data: unknown, found: Map<string, Set<string>>): void {
  if (Array.isArray(data)) for (const each of data) harvest(each, found)
  else if (data && typeof data === 'object')
    for (const [name, value] of Object.entries(data)) {
      if (/_id$/.test(name) && typeof value === 'string' && value !== '') add(found, name, value)
      else harvest(value, found)
    }
}

function add(found: Map<string, Set<string>>, name: string, id: string): void {
  const ids = found.get(name) ?? new Set()
  ids.add(id)
  found.set(name, ids)
}

/** The answer without members of the installation. */
function told({ code, data }: Pick<Answer, 'code' | 'data'>): unknown {
  return { code, data: code === 0 ? plain(data) : undefined }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ofInstallation.has(name))
      .map(([name, each]) => [name, plain(each)]),
  )
}

function firstDifference(
  first: unknown,
  second: unknown,
  path: string,
): { path: string; first: unknown; second: unknown } | undefined {
  if (JSON.stringify(first) === JSON.stringify(second)) return undefined
  if (isRecord(first) && isRecord(second))
    for (const name of Object.keys({ ...first, ...second })) {
      const found = firstDifference(first[name], second[name], `${path}/${name}`)
      if (found) return found
    }
  return { path, first, second }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
