import fastJson from 'fast-json-stringify'
import { clientAddress, type TrustProxy } from '../access/client-address.ts'
import type { GrantedAccount, GrantedOrganization } from '../access/organizations/account-store.ts'
import { confirmationMs, type StaffCaller } from '../access/staff/sessions.ts'
import { requireCallSignature } from '../access/tokens/call-signature.ts'
import type { Permission } from '../contract/caller.ts'
import { maskOf } from '../contract/contacts.ts'
import type { Endpoint, OrganizationEndpoint } from '../contract/endpoint.ts'
import { envelopeOf, success } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { asksForConfirmation } from '../contract/guard.ts'
import type { Origin } from '../contract/origin.ts'
import { RenderedJson } from '../contract/rendered-json.ts'
import { secretRemover } from '../contract/shown-once.ts'
import { inputValidator, unknownParameters } from '../contract/validate.ts'
import type { Queryable } from '../database/database.ts'
import { asSurvivor } from '../people/users/as-survivor.ts'
import { limitReveals } from '../people/users/limit-reveals.ts'
import { reachOf } from '../people/users/reach.ts'
import { createCursors } from '../search/cursors.ts'
import type { Call } from './call.ts'
import { identify } from './caller.ts'
import { chooseDatabase, notingWrite } from './choose-database.ts'
import { answerOncePerKey, idempotencyKeyOf } from './idempotency.ts'
import { readJsonObject } from './json-body.ts'
import { queryStringReader } from './query-string.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Body } from './respond.ts'
import type { Services } from './services.ts'
import { cookieOf, refuseOtherOrigin, setCookie, siteOf } from './session-cookie.ts'
import { expectedBytes, type UnsentBytes } from './unsent-bytes.ts'

/** Of a call, with whatever it has to wait for. */
const patienceMs = 1500

/** An endpoint as the server runs it: every check, always in the same order, then the use case. */
export interface Operation {
  id: string
  /** Comes to the body of a success, or throws. */
  run(call: Call): Promise<Body>
}

/** What all operations of a server share. */
export interface Checks {
  limitRate: RateLimit
  unsent: UnsentBytes
  trustProxy: TrustProxy
  /** Where browsers reach the console. */
  publicUrl: URL | undefined
  bodyLimitBytes: number
}

type Input = Record<string, unknown>

/** To compile all that operations check and answer by was a quarter of the start of every process. */
function onFirstUse<Argument, Result>(make: () => (argument: Argument) => Result) {
  let made: ((argument: Argument) => Result) | undefined
  return (argument: Argument): Result => {
    made ??= make()
    return made(argument)
  }
}

export function createOperation(endpoint: Endpoint, services: Services, checks: Checks): Operation {
  const readQuery = queryStringReader(endpoint)
  const validate = onFirstUse(() => inputValidator(endpoint))
  const toText = onFirstUse(() => fastJson(envelopeOf(endpoint.data) as never))
  const bodyOf = (data: unknown) => (data instanceof RenderedJson ? data : toText(success(data)))
  const mask = maskOf(endpoint.data)
  const maskedBodyOf = mask ? (data: unknown) => toText(success(mask(plainData(data)))) : bodyOf
  const handleFor =
    endpoint.scope === 'organization'
      ? organizationHandler(endpoint, services, checks, { bodyOf, maskedBodyOf })
      : undefined

  const readBody = async (call: Call) => {
    const values = await readJsonObject(call, checks.bodyLimitBytes)
    return { values, unknown: unknownParameters(endpoint, values) }
  }

  /** What operations need that let callers in. */
  const outside = (call: Call) => {
    const origin = originOf(endpoint, call, checks.trustProxy)
    const { request, headers } = call
    return {
      auth: services.auth,
      address: origin.address!,
      door: {
        of(scope: string, staff_id?: string) {
          const by = staff_id ? { ...origin, actor_kind: 'staff' as const, actor_id: staff_id } : origin
          return services.db.forStrangers(scope, by)
        },
        keepSession: (token: string | null) =>
          headers.push('set-cookie', setCookie(request, 'session', token, checks.publicUrl)),
        site: () => siteOf(request, checks.publicUrl),
        ticket: cookieOf(request, 'ticket', checks.publicUrl),
        keepTicket: (ticket: string | null) =>
          headers.push('set-cookie', setCookie(request, 'ticket', ticket, checks.publicUrl)),
      },
    }
  }

  return {
    id: endpoint.id,
    /**
     * What is known already is not waited for: a read whose token and account are remembered comes to its query within
     * the event that brought it, and so shares the query with the reads that came along.
     */
    async run(call) {
      const { request, headers } = call
      const now = services.now()
      // Before the body is read: a caller without a token costs next to nothing.
      if (endpoint.scope !== 'public') {
        const found = identify(services.auth, request, checks, now)
        call.account = found instanceof Promise ? await found : found
        const counted = checks.limitRate(call.account, headers, now)
        if (counted) await counted
        requirePermission(endpoint, call.account.permissions)
      } else if (endpoint.group === 'Console') refuseOtherOrigin(request)
      const { values, unknown } = endpoint.method === 'GET' ? readQuery(call.query) : await readBody(call)
      if (endpoint.movesMoney && call.account!.signs_money) {
        const signed = { method: request.method!, path: endpoint.path, body: call.body! }
        await requireCallSignature(services.auth, call.account!, request.headers, signed, now)
      }
      reportIgnored(unknown, headers)
      const input = validate(values)
      const context = { now, newId: services.newId }
      switch (endpoint.scope) {
        case 'public':
          return bodyOf(await endpoint.handle({ ...context, ...outside(call) }, input))
        case 'staff': {
          const staff = staffOf(call)
          if (asksForConfirmation(endpoint.guard)) requireConfirmation(staff.session, now)
          return bodyOf(await endpoint.handle({ ...context, ...outside(call), staff }, input))
        }
        case 'account':
          return bodyOf(await endpoint.handle({ ...context, account: call.account! }, input))
        case 'organization':
          // To await it takes fewer turns than to return its promise.
          return await handleFor!(call, input, now)
      }
    },
  }
}

function organizationHandler(
  endpoint: OrganizationEndpoint,
  services: Services,
  { unsent, trustProxy, publicUrl }: Checks,
  { bodyOf, maskedBodyOf }: Record<'bodyOf' | 'maskedBodyOf', (data: unknown) => Body>,
) {
  const { newId } = services
  const cursors = createCursors(services.memory.cursorMemory)
  const kept = secretRemover(endpoint.data)
  const takesDryRun = 'dry_run' in endpoint.input.properties
  const namesUser = 'user_id' in endpoint.input.properties
  const isConfirmed = asksForConfirmation(endpoint.guard)
  return async (call: Call, input: Input, now: Date): Promise<Body> => {
    const account = call.account!
    const organization = grantedOrganization(account, input.corp_id as string)
    const session = sessionOf(account)
    requirePermission(endpoint, organization.permissions ?? account.permissions, session)
    if (endpoint.group === 'Console' && !session) throw new ApiError('sessionEnded')
    // What changes nothing needs no proof, and uses no key up: the key is for the call that does it.
    const isDryRun = takesDryRun && input.dry_run === true
    const role = (organization as Partial<StaffCaller['organizations'][number]>).role
    const reach = reachOf(endpoint.guard, { role, account, organization })
    if (isConfirmed && session && !isDryRun) requireConfirmation(session, now)
    const room = unsent.reserve(call, expectedBytes(input))
    if (room) await room
    const isRead = endpoint.method === 'GET'
    const origin = isRead ? undefined : originOf(endpoint, call, trustProxy)
    const patience = { endsAtMs: call.beganMs + patienceMs }
    const chosen = chooseDatabase(services, endpoint, account, organization.corp_id, { origin, patience })
    const db = chosen instanceof Promise ? await chosen : chosen
    const { keyring, allowsPrivateProviders, dnsServers } = services.auth
    const site = () => siteOf(call.request, publicUrl)
    const ofConsole = endpoint.group === 'Console' ? { allowsPrivateProviders, dnsServers, site } : {}
    const handle = (on: Queryable) => {
      const context = {
        now,
        newId,
        account,
        organization,
        role,
        reach,
        cursors,
        keyring,
        db: on,
        ...ofConsole,
      }
      if (!namesUser) return endpoint.handle(context, input)
      return asSurvivor(context, input, (named: Input) => endpoint.handle(context, named))
    }
    const shown = session ? maskedBodyOf : bodyOf
    if (isRead) {
      const answer = shown(await handle(db))
      if (endpoint.discloses) await noteDisclosure(services, endpoint, call, { input, now, trustProxy })
      return answer
    }
    const write = async (on: Queryable) => shown(await handle(on))
    // On a handle of its own: the transaction of the call, where there was one, is over.
    const goOn = (answer: Body) => {
      const own = services.db.of(organization.corp_id, origin)
      const { erasureList } = services
      const context = {
        now,
        newId,
        account,
        organization,
        role,
        reach,
        cursors,
        keyring,
        erasureList,
        db: own,
      }
      endpoint.afterwards?.(context, input).catch(() => undefined)
      return answer
    }
    const key = endpoint.callsOut ? undefined : idempotencyKeyOf(call.request.headers)
    if (key === undefined || isDryRun) return goOn(await notingWrite(services, account, write(db)))
    const keyed = { corp_id: organization.corp_id, app_id: account.app_id, key, now }
    const body_hash = fingerprint([endpoint.id, input])
    const answered = answerOncePerKey(call.headers, db, { ...keyed, body_hash }, write, kept)
    return goOn(await notingWrite(services, account, answered))
  }
}

/** Before the answer is sent: what nobody has noted and counted, nobody sees. */
async function noteDisclosure(
  { db }: Services,
  endpoint: OrganizationEndpoint,
  call: Call,
  { input, now, trustProxy }: { input: Input; now: Date; trustProxy: TrustProxy },
): Promise<void> {
  const { discloses, guard } = endpoint
  const isStaff = sessionOf(call.account!) !== undefined
  if (!discloses || (discloses.action === 'revealed' && !isStaff)) return
  const { action, record_type, recordId } = discloses
  const record_id = recordId(input)
  const person_id = record_type === 'users' ? record_id : undefined
  const corp_id = input.corp_id as string
  const counted = isStaff &&
    guard.limit === 'reveals per hour' && { corp_id, staff_id: call.account!.app_id, now }
  const refusal = await db.of(corp_id, originOf(endpoint, call, trustProxy)).transaction(async (tx) => {
    const refused = counted ? await limitReveals(tx, counted) : undefined
    if (!refused) tx.note({ action, record_type, record_id, person_id })
    return refused
  })
  if (refusal) throw refusal
}

/** Whoever is not known yet is nobody, from an address. */
function originOf({ id }: Endpoint, { account, request, requestId }: Call, trustProxy: TrustProxy): Origin {
  return {
    actor_kind: account && sessionOf(account) ? 'staff' : 'account',
    actor_id: account?.app_id ?? '',
    address: clientAddress(request, trustProxy),
    operation: id,
    request_id: requestId,
  }
}

function requirePermission(
  { permission: ofAll, staffPermission = ofAll }: Endpoint,
  permissions: Permission[],
  session?: StaffCaller['session'],
): void {
  const permission = session ? staffPermission : ofAll
  if (permission === undefined || permissions.includes(permission)) return
  throw new ApiError('permissionMissing', { msg: `The caller lacks the permission ${permission}.` })
}

/** A browser that was left alone must not do everything. Programs prove themselves by their secret all the time. */
function requireConfirmation({ confirmed_at }: StaffCaller['session'], now: Date): void {
  if (now.getTime() - confirmed_at.getTime() <= confirmationMs) return
  throw new ApiError('confirmationNeeded')
}

function staffOf({ account }: Call): StaffCaller {
  if (!sessionOf(account!)) throw new ApiError('sessionEnded')
  return account as StaffCaller
}

/** Undefined for an account. */
function sessionOf(account: GrantedAccount): StaffCaller['session'] | undefined {
  return (account as Partial<StaffCaller>).session
}

/** Data as values, also where it was text already. */
function plainData(data: unknown): unknown {
  return data instanceof RenderedJson ? JSON.parse(data.toString()).data : data
}

/** An organization that is not granted looks the same whether it exists or not. */
function grantedOrganization(account: GrantedAccount, corpId: string): GrantedOrganization {
  const organization = account.organizations.find(({ corp_id }) => corp_id === corpId)
  if (!organization) throw new ApiError('organizationNotGranted')
  return organization
}

const longestNamed = 100

/** Names may hold anything; a header may not. */
function reportIgnored(names: string[], headers: Call['headers']): void {
  if (names.length === 0) return
  const shown = names.map((name) => encodeURIComponent(name.toWellFormed()).slice(0, longestNamed))
  headers.push('x-ignored-parameters', shown.join(', '))
}
