import type { IncomingMessage, ServerResponse } from 'node:http'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import type { Endpoint, OrganizationEndpoint } from '../contract/endpoint.ts'
import { envelopeOf, success } from '../contract/envelope.ts'
import { RenderedJson } from '../contract/rendered-json.ts'
import { inputValidator, unknownParameters } from '../contract/validate.ts'
import { createCursors } from '../orders/cursors.ts'
import type { GrantedAccount } from '../organizations/account-store.ts'
import { mayCall, rememberedCaller } from './authenticate.ts'
import { chooseDatabase } from './choose-database.ts'
import { parseQueryString } from './query-string.ts'
import { requestIdOf } from './request-id.ts'
import type { NoteAnswer } from './request-log.ts'
import { commonHeaders } from './respond.ts'
import type { Services } from './services.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A fast path for reads. A call whose caller, organization and parameters are all in order is answered right from the
 * platform's request, past the router and its hooks, which would cost more than the read itself. Everything else, and
 * every failure, takes the usual way: there is one place where errors become answers, and this is not it.
 */
export function addQuickReads(
  app: FastifyInstance,
  services: Services,
  endpoints: Endpoint[],
  note: NoteAnswer,
): void {
  const startRead = createReads(services, endpoints)
  const [takeTheUsualWay] = app.server.listeners('request') as [Listener]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const began = performance.now()
    const read = startRead(request)
    if (!read) return takeTheUsualWay(request, response)
    const { operation, app_id } = read
    read.body.then(
      (body) => {
        const request_id = requestIdOf(request)
        const length = Buffer.byteLength(body)
        response.writeHead(200, [...headers, 'x-request-id', request_id, 'content-length', length]).end(body)
        const ms = performance.now() - began
        note({ request_id, operation, route: undefined, method: 'GET', status: 200, code: 0, app_id, ms })
      },
      (error: unknown) => {
        // Nobody is left to be told.
        if (request.socket.destroyed) return
        failures.set(request, error)
        takeTheUsualWay(request, response)
      },
    )
  })
}

const headers = Object.entries({
  ...commonHeaders,
  'content-type': 'application/json; charset=utf-8',
}).flat()

/** What a read has failed with already, so that it need not fail again on the usual way. */
const failures = new WeakMap<IncomingMessage, unknown>()

export function throwEarlierFailure(request: IncomingMessage): void {
  if (failures.has(request)) throw failures.get(request)
}

interface StartedRead {
  operation: string
  app_id: string
  body: Promise<string | Buffer>
}

/** Starts the read that a request asks for; undefined where anything about it is out of the ordinary. */
function createReads(services: Services, endpoints: Endpoint[]) {
  const reads = new Map<string, Read>()
  for (const endpoint of endpoints) {
    if (endpoint.scope === 'organization' && endpoint.method === 'GET')
      reads.set(endpoint.path, createRead(services, endpoint))
  }
  return (request: IncomingMessage): StartedRead | undefined => {
    if (request.method !== 'GET' || services.isDraining()) return undefined
    const url = request.url!
    const end = url.indexOf('?')
    // Every read has parameters.
    const read = end < 0 ? undefined : reads.get(url.slice(0, end))
    if (!read || request.httpVersion !== '1.1' || request.headers.host === undefined) return undefined
    const account = rememberedCaller(services, request.headers)
    if (!account || account.rate_limit_per_minute !== null || !mayCall(read.endpoint, account))
      return undefined
    const body = read.start(account, url.slice(end + 1))
    return body && { operation: read.endpoint.id, app_id: account.app_id, body }
  }
}

interface Read {
  endpoint: OrganizationEndpoint
  start(account: GrantedAccount, query: string): Promise<string | Buffer> | undefined
}

function createRead(services: Services, endpoint: OrganizationEndpoint): Read {
  const validate = inputValidator(endpoint)
  const toText = fastJson(envelopeOf(endpoint.data) as never)
  const cursors = createCursors(services.memory.cursorMemory)
  const inputOf = (query: string) => {
    const raw = parseQueryString(query)
    if (unknownParameters(endpoint, raw).length > 0) return undefined
    try {
      return validate(raw)
    } catch {
      return undefined
    }
  }
  return {
    endpoint,
    start(account, query) {
      const input = inputOf(query)
      const organization = input && account.organizations.find(({ corp_id }) => corp_id === input.corp_id)
      if (!organization) return undefined
      const { newId } = services
      const answer = async () => {
        const { corp_id } = organization
        const db = services.replicas
          ? await chooseDatabase(services, endpoint, account, corp_id)
          : services.db.of(corp_id)
        const context = { now: services.now(), newId, account, organization, cursors, db }
        const data = await endpoint.handle(context, input)
        return data instanceof RenderedJson ? data.response : toText(success(data))
      }
      return answer()
    },
  }
}
