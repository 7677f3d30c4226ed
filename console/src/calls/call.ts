import { operations } from 'virtual:operations'
import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { Static, TSchema } from '../../../src/contract/type.ts'
import type { Operations } from '../../../src/endpoints.ts'
import { loadServiceText } from '../languages/load-service-text.ts'
import { CallError } from './call-error.ts'
import { askToConfirm } from './confirmation.ts'

export type OperationId = keyof Operations & string
type SchemaOf<Id extends OperationId, Part extends 'input' | 'data'> = Operations[Id] extends {
  [part in Part]: infer Schema extends TSchema
}
  ? Schema
  : never
type Sent<Id extends OperationId> = Static<SchemaOf<Id, 'input'>>
/** The input of an operation. The organization defaults to the signed-in person's school. */
export type InputOf<Id extends OperationId> = Omit<Sent<Id>, 'corp_id'> & { corp_id?: string }
/** The data of an operation's answer. */
export type DataOf<Id extends OperationId> = Static<SchemaOf<Id, 'data'>>
/** A row of a list's answer. */
export type RowOf<Id extends OperationId> = DataOf<Id> extends { list: (infer Row)[] } ? Row : never

export interface CallOptions {
  /** The same for all attempts at one action, so that a repeated call has no second effect. */
  idempotencyKey?: string
  signal?: AbortSignal
}

const confirmationNeeded = 40304
/** Another tab of this browser has signed in to another school. */
const organizationNotGranted = 40301

/**
 * Calls an operation of the catalogue and returns its data, or throws a CallError. If the session is over or the service
 * asks for a confirmation, the person is asked and the call is repeated.
 */
export async function call<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  options: CallOptions = {},
): Promise<DataOf<Id>> {
  const once = { idempotencyKey: newIdempotencyKey(), ...options }
  try {
    return await send(id, input, once)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.isSignedOut && operations[id]!.scope !== 'public') {
      // Without a session at the start, the router shows the sign-in screen.
      if (id !== 'fetchSession' && (await askToSignInAgain())) return send(id, input, once)
      tellSignedOut()
    }
    const isRefused = error.isSuspended && operations[id]!.scope !== 'public'
    if (error.code === organizationNotGranted || isRefused) tellSignedOut()
    if (error.code !== confirmationNeeded) throw error
    if (!(await askToConfirm())) throw error
    return send(id, input, once)
  }
}

/** Not crypto.randomUUID, which exists in secure contexts only. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function send<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { idempotencyKey, signal }: CallOptions,
): Promise<DataOf<Id>> {
  const { method, path, scope } = operations[id]!
  const sent = scope === 'organization' ? { corp_id: chosenOrganization(), ...input } : input
  const request: RequestInit =
    method === 'GET'
      ? { signal }
      : {
          method,
          signal,
          headers: {
            'Content-Type': 'application/json',
            ...(scope === 'organization' && idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
          },
          body: JSON.stringify(sent),
        }
  const response = await reach(method === 'GET' ? `${path}${queryOf(sent)}` : path, request)
  try {
    return await dataOf(response)
  } catch (error) {
    if (error instanceof CallError) error.input = sent
    throw error
  }
}

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new CallError(0, (error as Error).message)
  }
}

async function dataOf<Data>(response: Response): Promise<Data> {
  let envelope: { code: number; msg: string; data: Data }
  try {
    envelope = await response.json()
  } catch {
    // A proxy may answer without JSON.
    throw new CallError(response.ok ? 0 : response.status * 100, response.statusText)
  }
  if (envelope.code === 0) return envelope.data
  const retryAfter = response.headers.get('retry-after')
  const error = new CallError(
    envelope.code,
    envelope.msg,
    envelope.data as object,
    retryAfter ? Number(retryAfter) : undefined,
  )
  if (!error.isSignedOut) await loadServiceText()
  throw error
}

function queryOf(input: object): string {
  const sent = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`
}

interface ReadOptions<Data> {
  /** False: waits. */
  enabled?: boolean
  /** Keeps the previous data until the new data arrives. */
  keepsPrevious?: boolean
  /** Polling interval; undefined: no polling. */
  refetchEveryMs?: number | ((data: Data | undefined) => number | undefined)
  /** Refetches on mount, even if the cached data is fresh. */
  isFreshOnOpening?: boolean
  /** Version of the record that the data belongs to: data of another version is not shown. */
  version?: string
}

/** Cache time of pages of a list: turning pages must not fill the memory. */
const turnedPageMs = 5_000

/** A query of an operation, cached by operation, organization and input. */
export function queryFor<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
): UseQueryOptions<DataOf<Id>, CallError> & { queryKey: unknown[] } {
  return {
    queryKey: [id, chosenOrganization(), input],
    queryFn: ({ signal }) => call(id, input, { signal }),
  }
}

/** Reads with an operation. */
export function useCall<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  {
    enabled = true,
    keepsPrevious = false,
    refetchEveryMs,
    isFreshOnOpening,
    version,
  }: ReadOptions<DataOf<Id>> = {},
): UseQueryResult<DataOf<Id>, CallError> {
  const query = queryFor(id, input)
  if (version !== undefined) query.queryKey.push(version)
  if (keepsPrevious) {
    query.placeholderData = ((previous: unknown) => previous) as never
    query.gcTime = turnedPageMs
  }
  return useQuery({
    ...query,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      (typeof refetchEveryMs === 'function' ? refetchEveryMs(data) : refetchEveryMs) ?? false,
    refetchOnMount: isFreshOnOpening ? 'always' : true,
  })
}

/** First element of the query keys of dry runs. */
export const dryRunKey = 'dry run'

interface Action<Id extends OperationId> {
  /** Runs the operation; throws a CallError, which is also in `error`. */
  run(input: InputOf<Id>): Promise<DataOf<Id>>
  isRunning: boolean
  error: CallError | undefined
  forgetError(): void
}

/**
 * An operation that changes something. A second click during the call joins it, and a retry with the same input keeps the
 * idempotency key, so nothing happens twice. Success refetches all queries except dry runs, which would preview the same
 * action again.
 */
export function useAction<Id extends OperationId>(id: Id): Action<Id> {
  const queries = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<CallError>()
  const intended = useRef<{ input: string; key: string; underWay?: Promise<DataOf<Id>> }>(undefined)

  const run = useCallback(
    (input: InputOf<Id>): Promise<DataOf<Id>> => {
      const text = JSON.stringify(input)
      if (intended.current?.input !== text) intended.current = { input: text, key: newIdempotencyKey() }
      const action = intended.current
      if (action.underWay) return action.underWay
      setRunning(true)
      setError(undefined)
      action.underWay = call(id, input, { idempotencyKey: action.key })
        .then((data) => {
          if (intended.current === action) intended.current = undefined
          void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== dryRunKey })
          return data
        })
        .catch((failure) => {
          if (failure instanceof CallError) setError(failure)
          throw failure
        })
        .finally(() => {
          delete action.underWay
          setRunning(false)
        })
      return action.underWay
    },
    [id, queries],
  )
  return { run, isRunning, error, forgetError: useCallback(() => setError(undefined), []) }
}

const pageSize = 1000
/** Maximum rows of a file that the browser builds. */
export const mostRows = 100_000

/** Reads all rows of a list, at most `mostRows`. Rows added during the read are ignored. */
export async function allPages<Id extends 'exportAudit' | 'exportRejectedRows' | 'listLeadFileRows'>(
  id: Id,
  input: InputOf<Id>,
): Promise<RowOf<Id>[]> {
  const read = call as unknown as (id: Id, input: object) => Promise<{ total: number; list: RowOf<Id>[] }>
  const rows: RowOf<Id>[] = []
  let total = mostRows
  for (let page = 0; rows.length < total; page++) {
    const found = await read(id, { ...input, page, page_size: pageSize })
    if (page === 0) total = Math.min(found.total, mostRows)
    if (found.list.length === 0) break
    rows.push(...found.list.slice(0, total - rows.length))
  }
  return rows
}

let chosen = ''

/** The organization of calls that name none. */
export function chosenOrganization(): string {
  return chosen
}

export function chooseOrganizationOfCalls(corp_id: string): void {
  chosen = corp_id
}

type Ask = () => Promise<boolean>

let leave = () => {}
let ask: Ask = async () => false

/** Reports that the session is over; the console shows the sign-in screen. */
function tellSignedOut(): void {
  leave()
}

export function onSignedOut(leaving: () => void): void {
  leave = leaving
}

/** Asks the person to sign in over the page, so that no input is lost; false if they cancel. */
function askToSignInAgain(): Promise<boolean> {
  return ask()
}

/** Registers the dialog: calls do not import screens. */
export function setSignInAgain(asking: Ask): void {
  ask = asking
}
