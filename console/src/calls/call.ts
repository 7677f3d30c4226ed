import { operations } from 'virtual:operations'
import type { Static, TSchema } from '../../../src/contract/type.ts'
import type { Operations } from '../../../src/endpoints.ts'
import { CallError } from './call-error.ts'
import { chosenOrganization } from './chosen-organization.ts'
import { askToConfirm } from './confirmation.ts'
import { askToSignInAgain, tellSignedOut } from './signed-out.ts'

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
    if (error.code === organizationNotGranted) tellSignedOut()
    if (error.code !== confirmationNeeded) throw error
    if (!(await askToConfirm())) throw error
    return send(id, input, once)
  }
}

/** Not crypto.randomUUID, which exists in secure contexts only. */
export function newIdempotencyKey(): string {
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
  return dataOf(response)
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
  throw new CallError(
    envelope.code,
    envelope.msg,
    envelope.data as object,
    retryAfter ? Number(retryAfter) : undefined,
  )
}

function queryOf(input: object): string {
  const sent = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`
}
