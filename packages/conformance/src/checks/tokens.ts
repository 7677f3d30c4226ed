import { type Check, expect, expectEqual } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { observed, shortPath, tableOf } from '../operations.ts'
import { operationTables } from '../tables/operations.ts'

const lifeMs = 2 * 3_600_000
/** Maximum difference between the clocks of the server and the kit. */
const toleranceMs = 120_000
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:?\d\d)?$/

/** Tokens: signatures, times, and the header of every other operation. */
export function tokenChecks(): Check[] {
  const token = 'authentication/token'
  const verify = 'authentication/verify'
  return [
    {
      id: `${token} lives two hours`,
      level: 'interface',
      operation: token,
      row: 'Token validity: 2 hours; expire_time gives the end of validity',
      async run(kit) {
        const exchange = await observed(kit, tableOf(token))
        const life = instantOf(exchange.data?.expire_time) - exchange.sentAt.getTime()
        const isRight = Math.abs(life - lifeMs) <= toleranceMs
        expect(
          isRight,
          'expire_time: 2 hours after the call',
          `${exchange.data?.expire_time}, ${Math.round(life / 1000)} s after the call`,
          exchange,
        )
      },
    },
    timeFormatCheck(token, 'expire_time'),
    timeFormatCheck(verify, 'time'),
    {
      id: `${verify} time is now`,
      level: 'interface',
      operation: verify,
      row: 'time: verification time',
      async run(kit) {
        const exchange = await observed(kit, tableOf(verify))
        const offMs = instantOf(exchange.data?.time) - exchange.receivedAt.getTime()
        expect(
          Math.abs(offMs) <= toleranceMs,
          'time: the time of the call',
          `${exchange.data?.time}, ${Math.round(offMs / 1000)} s off`,
          exchange,
        )
      },
    },
    {
      id: `${verify} app_id`,
      level: 'interface',
      operation: verify,
      row: 'app_id: the account that obtained the token',
      async run(kit) {
        const exchange = await observed(kit, tableOf(verify))
        expectEqual(exchange.data?.app_id, kit.options.appId, 'app_id', exchange)
      },
    },
    {
      id: `${token} wrong signature`,
      level: 'interface',
      operation: token,
      row: 'signature: hash of user_id + time_stamp + user_api_secret',
      async run(kit) {
        const exchange = await kit.caller.askForToken(kit.caller.signed('not the secret'))
        expect(
          exchange.code !== 0 && exchange.data?.token === undefined,
          'no token for a wrong signature',
          shortOf(exchange),
          exchange,
        )
      },
    },
    {
      id: `${token} body of the table`,
      level: 'interface',
      operation: token,
      row: 'user_id: user identity; the sample request body names it app_id',
      async run(kit) {
        const { app_id, ...rest } = kit.caller.signed()
        const exchange = await kit.caller.askForToken({
          user_id: app_id,
          user_api_secret: kit.options.secret,
          ...rest,
        })
        expect(exchange.code === 0, 'code 0', shortOf(exchange), exchange)
      },
    },
    {
      id: `${token} second token`,
      level: 'matricula',
      gap: 'token-renewal',
      operation: token,
      row: 'A later token leaves earlier ones valid',
      async run(kit) {
        const earlier = await kit.caller.token()
        await kit.caller.askForToken()
        const exchange = await kit.caller.send({ method: 'GET', path: verify, token: earlier })
        expect(exchange.code === 0, 'code 0 for the earlier token', shortOf(exchange), exchange)
      },
    },
    {
      id: `${verify} X-APP-ID`,
      level: 'interface',
      operation: verify,
      row: 'Most examples also send the header X-APP-ID with the user ID',
      async run(kit) {
        const exchange = await kit.caller.send({
          method: 'GET',
          path: verify,
          headers: { 'X-APP-ID': kit.options.appId },
        })
        expect(exchange.code === 0, 'code 0', shortOf(exchange), exchange)
      },
    },
    ...operationTables
      .filter((table) => shortPath(table) !== token)
      .map((table) => needsToken(shortPath(table), table.method)),
  ]
}

function timeFormatCheck(operation: string, member: string): Check {
  return {
    id: `${operation} ${member} format`,
    level: 'interface',
    operation,
    row: 'The token endpoints use an ISO 8601 style timestamp with fractional seconds',
    async run(kit: Kit) {
      const exchange = await observed(kit, tableOf(operation))
      const value = exchange.data?.[member]
      expect(isoInstant.test(String(value)), `${member} as YYYY-MM-DDTHH:MM:SS.sss`, value, exchange)
    },
  }
}

/** The instant in milliseconds. A time without a zone is taken as UTC. */
function instantOf(text: unknown): number {
  const time = String(text)
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
}

function needsToken(operation: string, method: 'GET' | 'POST'): Check {
  return {
    id: `${operation.replace(/^entity\//, '')} without a token`,
    level: 'interface',
    operation,
    row: 'All endpoints except the token endpoint require the Authorization header',
    async run(kit) {
      const exchange = await kit.call(method, operation, {}, { token: null })
      const isRefused = typeof exchange.code === 'number' && exchange.code !== 0
      expect(isRefused, 'a code other than 0', shortOf(exchange), exchange)
    },
  }
}
