import type { Endpoint } from '../../src/contract/endpoint.ts'
import { checkResponse } from '../harness/contract-check.ts'
import type { Answer } from '../harness/server.ts'
import type { Stage } from './stage.ts'

/** Calls a query operation with a query string unchanged. */
export async function callQuery(
  { server, tokens }: Stage,
  endpoint: Endpoint,
  query: string,
): Promise<Answer> {
  const answer = await server.send(`${endpoint.path}?${query}`, {
    headers: { Authorization: `Bearer ${tokens.sample}` },
  })
  checkResponse(endpoint, answer)
  return answer
}

/** Sends a body unchanged. */
export async function callBody(
  { server, tokens }: Stage,
  endpoint: Endpoint,
  body: RequestInit['body'],
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<Answer> {
  const authorization = endpoint.scope === 'public' ? undefined : { Authorization: `Bearer ${tokens.sample}` }
  const init = { method: 'POST', body, headers: { ...authorization, ...headers }, duplex: 'half' }
  const answer = await server.send(endpoint.path, init as RequestInit)
  checkResponse(endpoint, answer)
  return answer
}

export function paramsOf(answer: Answer): string[] {
  return answer.data.errors.map(({ param }: { param: string }) => param)
}

/** A response without the members that differ from call to call. */
export function bodyOf({ status, code, msg, data: { request_id: _, ...data } }: Answer) {
  return { status, code, msg, data }
}
