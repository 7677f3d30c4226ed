import { createVerifier } from 'fast-jwt'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import pg from 'pg'
import type { GrantedAccount } from '../../src/access/organizations/account-store.ts'
import type { Keyring } from '../../src/access/organizations/keyring.ts'
import { envelopeOf, failure } from '../../src/contract/envelope.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { inputValidator } from '../../src/contract/validate.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    appId: string
  }
}

/**
 * A plain server: Fastify with its defaults, `pg`, one query per read, response schemas. The
 * contract (paths, validation, schemas) is that of the service, so both return the same bytes.
 */
export function buildPlain(pool: pg.Pool, keyring: Keyring, logFile?: string): FastifyInstance {
  const logger = logFile !== undefined && { level: 'info', file: logFile }
  const app = Fastify({ logger, logController: new LogController({ disableRequestLogging: true }) })
  const callerOf = createCallers(pool, keyring)
  for (const { endpoint, handle } of [...reads, ...writes]) {
    const validate = inputValidator(endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: { response: { 200: envelopeOf(endpoint.data) } },
      async handler(request) {
        const account = await callerOf(request.headers.authorization)
        request.appId = account.app_id
        if (!account.permissions.includes(endpoint.permission!)) throw new ApiError('permissionMissing')
        const input = validate((endpoint.method === 'GET' ? request.query : request.body) as never)
        const organization = account.organizations.find(({ corp_id }) => corp_id === input.corp_id)
        if (!organization) throw new ApiError('organizationNotGranted')
        return { code: 0, msg: 'success', data: await handle({ pool, account, organization }, input) }
      },
    })
  }
  // Logs the same members of a request as the service, through the framework's logger.
  app.decorateRequest('appId', '')
  app.addHook('onResponse', async (request, reply) => {
    const { id: request_id, method, appId: app_id } = request
    const operation = request.routeOptions.config.url
    const told = { operation, request_id, method, status: reply.statusCode, app_id, ms: reply.elapsedTime }
    request.log.info(told, 'request')
  })
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof ApiError ? error : new ApiError('internal')
    if (known !== error) process.stderr.write(`${(error as Error).stack}\n`)
    return reply.code(known.status).serializer(JSON.stringify).send(failure(known, request.id))
  })
  return app
}

/** A usual pool: no row-level security, amounts as numbers. */
export function openPlainPool(options: pg.PoolConfig): pg.Pool {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
  const pool = new pg.Pool({ ...options, types: { getTypeParser: getTypeParser as never } })
  // PostgreSQL may be stopped, or the database dropped, before its connections are closed.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Verifies the token of every call. Accounts are cached for ever, which favours this server. */
function createCallers(pool: pg.Pool, keyring: Keyring) {
  const verify = createVerifier({ key: keyring.tokenKeys[0]!.key, algorithms: ['HS256'], cache: 1000 })
  const accounts = new Map<string, GrantedAccount>()
  return async (authorization = ''): Promise<GrantedAccount> => {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw new ApiError('noToken')
    const claims = readClaims(verify, token)
    if (claims.exp_ms <= Date.now()) throw new ApiError('expiredToken')
    const account = accounts.get(claims.sub) ?? (await findAccount(pool, claims.sub))
    if (!account || account.is_disabled || account.token_epoch !== claims.epoch)
      throw new ApiError('revokedToken')
    accounts.set(claims.sub, account)
    return account
  }
}

function readClaims(verify: (token: string) => unknown, token: string) {
  try {
    return verify(token) as { sub: string; epoch: number; exp_ms: number }
  } catch {
    throw new ApiError('invalidToken')
  }
}

async function findAccount(pool: pg.Pool, app_id: string): Promise<GrantedAccount | undefined> {
  const { rows } = await pool.query(
    `select a.*, (select coalesce(json_agg(o), '[]') from account_organizations g join organizations o using (corp_id)
                   where g.app_id = a.app_id) as organizations
       from accounts a where a.app_id = $1`,
    [app_id],
  )
  return rows[0]
}
