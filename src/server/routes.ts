import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Organization } from '../contract/caller.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { envelopeOf, success } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { RenderedJson } from '../contract/rendered-json.ts'
import { inputValidator, unknownParameters } from '../contract/validate.ts'
import type { Queryable } from '../database/database.ts'
import { createCursors } from '../orders/cursors.ts'
import type { GrantedAccount } from '../organizations/account-store.ts'
import { authenticate, mayCall } from './authenticate.ts'
import { chooseDatabase, notingWrite } from './choose-database.ts'
import { idempotencyKeyOf, replyOnce } from './idempotency.ts'
import { throwEarlierFailure } from './quick-reads.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known. */
    account: GrantedAccount | null
    /** The code that was answered, 0 until a failure. */
    failureCode: number
  }
  interface FastifyContextConfig {
    /** The operation's id, for logs and metrics. */
    operation?: string
  }
}

/** The catalogue becomes the server: one route per endpoint, every check in the same order. */
export function addRoutes(app: FastifyInstance, services: Services, endpoints: Endpoint[]): void {
  app.decorateRequest('account', null)
  app.decorateRequest('failureCode', 0)
  const limitRate = createRateLimit(services.memory.rateCounter)

  for (const endpoint of endpoints) {
    const run = runnerOf(endpoint, services)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { operation: endpoint.id },
      schema: { response: { 200: envelopeOf(endpoint.data) } },
      // Before the body is read: a caller without a token costs next to nothing.
      async onRequest(request, reply) {
        if (endpoint.scope === 'public') return
        const now = services.now()
        request.account = await authenticate(services.auth, request, now)
        await limitRate(request.account, reply, now)
        requirePermission(endpoint, request.account)
      },
      handler: run,
    })
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function runnerOf(endpoint: Endpoint, services: Services): Handler {
  const validate = inputValidator(endpoint)
  const cursors = createCursors(services.memory.cursorMemory)
  return async (request, reply) => {
    throwEarlierFailure(request.raw)
    const raw = rawInputOf(endpoint, request)
    reportIgnored(unknownParameters(endpoint, raw), reply)
    const input = validate(raw)
    const context = { now: services.now(), newId: services.newId }
    switch (endpoint.scope) {
      case 'public':
        return success(await endpoint.handle({ ...context, auth: services.auth, address: request.ip }, input))
      case 'account':
        return success(await endpoint.handle({ ...context, account: request.account! }, input))
      case 'organization': {
        const account = request.account!
        const organization = grantedOrganization(account, input.corp_id as string)
        const db = await chooseDatabase(services, endpoint, account, organization.corp_id)
        const handle = async (on: Queryable) =>
          payloadOf(
            await endpoint.handle({ ...context, account, organization, cursors, db: on }, input),
            reply,
          )
        if (endpoint.method === 'GET') return handle(db)
        const key = idempotencyKeyOf(request)
        if (key === undefined) return notingWrite(services, account, handle(db))
        const call = { corp_id: organization.corp_id, app_id: account.app_id, key, now: context.now }
        const body_hash = fingerprint([endpoint.id, input])
        return notingWrite(services, account, replyOnce(reply, db, { ...call, body_hash }, handle))
      }
    }
  }
}

/** Data that is text already is sent as it is. */
function payloadOf(data: unknown, reply: FastifyReply): object | string {
  if (!(data instanceof RenderedJson)) return success(data)
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return data.response
}

function rawInputOf(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  if (endpoint.method === 'GET') return request.query as Record<string, unknown>
  if (request.body === undefined || request.body === null) throw new ApiError('notJson')
  return request.body as Record<string, unknown>
}

function requirePermission(endpoint: Endpoint, account: GrantedAccount): void {
  if (mayCall(endpoint, account)) return
  throw new ApiError('permissionMissing', { msg: `The account lacks the permission ${endpoint.permission}.` })
}

/** An organization that is not granted looks the same whether it exists or not. */
function grantedOrganization(account: GrantedAccount, corpId: string): Organization {
  const organization = account.organizations.find(({ corp_id }) => corp_id === corpId)
  if (!organization) throw new ApiError('organizationNotGranted')
  return organization
}

const mostNamed = 20
const longestNamed = 100

/** Names may hold anything; a header may not. */
function reportIgnored(names: string[], reply: FastifyReply): void {
  if (names.length === 0) return
  const shown = names
    .slice(0, mostNamed)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, longestNamed))
  reply.header('X-Ignored-Parameters', shown.join(', '))
}
