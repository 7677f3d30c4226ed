import type { Caller } from '../access/caller.ts'
import type { TrustProxy } from '../access/client-address.ts'
import { addTime, timed } from '../contract/call-times.ts'
import type {
  Endpoint,
  OrganizationContext,
  OrganizationEndpoint,
  PublicEndpoint,
} from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { asksForConfirmation } from '../contract/guard.ts'
import type { Queryable } from '../database/database.ts'
import { asSurvivor } from '../people/users/as-survivor.ts'
import { reachOf } from '../people/users/reach.ts'
import { createCursors } from '../search/cursors.ts'
import { type Call, closeSignalOf, type Services } from './call.ts'
import type { Body } from './respond.ts'
import { refuseOtherOrigin, siteOf } from './session-cookie.ts'
import { chooseDatabase, notingWrite } from './steps/choose-database.ts'
import { noteDisclosure, noteSupportCall } from './steps/disclosure.ts'
import { answerPerKey, idempotencyKeyOf } from './steps/idempotency.ts'
import { entranceOf, identify, originOf, requireSignature } from './steps/identify.ts'
import {
  grantedOrganization,
  requireConfirmation,
  requirePermission,
  requireQuota,
} from './steps/permission.ts'
import type { RateLimit } from './steps/rate-leases.ts'
import { type Input, inputChecker, inputReader } from './steps/read-input.ts'
import { readOnlyCheck } from './steps/read-only.ts'
import { type BodyRenderer, bodyRenderer } from './steps/render.ts'
import { expectedBytes, type UnsentBytes } from './unsent-bytes.ts'

/** Maximum duration of a call, including all waits. */
const patienceMs = 1500

/** An endpoint as the server runs it. */
export interface Operation {
  id: string
  /** Resolves to the body of a success; rejects with the failure. */
  run(call: Call): Promise<Body>
}

/** Settings and state that the operations of a server share. */
export interface OperationSettings {
  limitRate: RateLimit
  unsent: UnsentBytes
  trustProxy: TrustProxy
  /** Where browsers reach the console. */
  publicUrl: URL | undefined
  bodyLimitBytes: number
}

type Run = Operation['run']

/**
 * Three functions list the steps of a call in their order: `publicSteps`, `identifiedSteps`, and `organizationSteps`, which
 * continues the second. A step is awaited only if it returns a promise: the read of a cached caller reaches its query within
 * the event that brought it, and so shares the query with the other reads of that event.
 */
export function createOperation(
  endpoint: Endpoint,
  services: Services,
  settings: OperationSettings,
): Operation {
  const run =
    endpoint.scope === 'public'
      ? publicSteps(endpoint, services, settings)
      : identifiedSteps(endpoint, services, settings)
  return { id: endpoint.id, run }
}

function publicSteps(endpoint: PublicEndpoint, services: Services, settings: OperationSettings): Run {
  const readInput = inputReader(endpoint, settings.bodyLimitBytes)
  const checkInput = inputChecker(endpoint)
  const refuseReadOnly = readOnlyCheck(endpoint, services)
  const render = bodyRenderer(endpoint)
  const { auth, newId } = services
  return async (call) => {
    const now = services.now()
    if (endpoint.group === 'Console') refuseOtherOrigin(call.request)
    const input = checkInput(await timed(call.times, 'input', Promise.resolve(readInput(call))), call.headers)
    refuseReadOnly(input)
    const { address, access } = entranceOf(endpoint, call, services.db, settings)
    return rendered(call, render, await endpoint.handle({ now, newId, auth, address, access }, input))
  }
}

function identifiedSteps(
  endpoint: Exclude<Endpoint, PublicEndpoint>,
  services: Services,
  settings: OperationSettings,
): Run {
  const readInput = inputReader(endpoint, settings.bodyLimitBytes)
  const checkInput = inputChecker(endpoint)
  const refuseReadOnly = readOnlyCheck(endpoint, services)
  const render = bodyRenderer(endpoint)
  const asksStaff = asksForConfirmation(endpoint.guard)
  const { auth, newId } = services
  const runInOrganization =
    endpoint.scope === 'organization' ? organizationSteps(endpoint, services, settings, render) : undefined

  return async (call) => {
    const { request, headers } = call
    const now = services.now()
    // Before the body is read: a caller without a token costs next to nothing.
    const found = identify(auth, request, settings, now)
    const caller = found instanceof Promise ? await timed(call.times, 'admission', found) : found
    call.caller = caller
    const counted = settings.limitRate(caller, headers, now)
    if (counted) await timed(call.times, 'admission', counted)
    requirePermission(endpoint, caller)

    const read = readInput(call)
    const sent = read instanceof Promise ? await timed(call.times, 'input', read) : read
    if (endpoint.movesMoney && caller.signs_money) await requireSignature(auth, caller, endpoint, call, now)
    const input = checkInput(sent, headers)
    refuseReadOnly(input)

    // Awaiting the promise takes fewer turns than returning it.
    if (runInOrganization) return await runInOrganization(call, caller, input, now)
    if (endpoint.scope === 'account')
      return rendered(call, render, await endpoint.handle({ now, newId, account: caller }, input))
    if (endpoint.scope !== 'staff' || caller.kind !== 'staff') throw new ApiError('sessionEnded')
    if (asksStaff) requireConfirmation(caller, now)
    const entrance = entranceOf(endpoint, call, services.db, settings)
    return rendered(
      call,
      render,
      await endpoint.handle({ now, newId, auth, staff: caller, ...entrance }, input),
    )
  }
}

function organizationSteps(
  endpoint: OrganizationEndpoint,
  services: Services,
  settings: OperationSettings,
  render: BodyRenderer,
) {
  const { newId, erasureList, waiters, allowsPrivateWebhooks, sendsMail = false, usage } = services
  const publicOrigin = settings.publicUrl?.origin
  const { keyring, allowsPrivateProviders, dnsServers } = services.auth
  const cursors = createCursors(services.memory.cursorMemory)
  const isRead = endpoint.method === 'GET'
  const asksStaff = asksForConfirmation(endpoint.guard)
  const handle = useCaseOf(endpoint)
  const answerOnce = answerPerKey(endpoint)
  const takesDryRun = 'dry_run' in endpoint.input.properties

  return async (call: Call, caller: Caller, input: Input, now: Date): Promise<Body> => {
    const organization = grantedOrganization(caller, input.corp_id)
    requireQuota(endpoint, caller, organization)
    usage?.note(organization.corp_id, caller.kind === 'program')
    const role = caller.kind === 'staff' ? caller.role : undefined
    const reach = reachOf(endpoint.guard, { role, account: caller, organization })
    // A dry run changes nothing: it needs no confirmation, and leaves the key to the call that does the work.
    const isDryRun = takesDryRun && input.dry_run === true
    if (asksStaff && !isDryRun) requireConfirmation(caller, now)
    const room = settings.unsent.reserve(call, expectedBytes(input))
    if (room) await timed(call.times, 'room', room)

    if (caller.kind === 'staff' && caller.session.support)
      await noteSupportCall(
        caller.session.support,
        services.db.of(organization.corp_id, originOf(endpoint, call, settings)),
      )
    const origin = isRead ? undefined : originOf(endpoint, call, settings)
    const budget = { endsAtMs: call.beganMs + patienceMs, times: call.times }
    const chosen = chooseDatabase(services, endpoint, caller, organization.corp_id, { origin, budget })
    const context: OrganizationContext = {
      now,
      newId,
      account: caller,
      organization,
      role,
      reach,
      cursors,
      keyring,
      erasureList,
      waiters,
      allowsPrivateProviders,
      allowsPrivateWebhooks,
      dnsServers,
      publicOrigin,
      sendsMail,
      site: () => siteOf(call.request, settings.publicUrl),
      closed: () => closeSignalOf(call),
      times: call.times,
      db: chosen instanceof Promise ? await chosen : chosen,
    }
    if (isRead) {
      const body = rendered(call, render, await handle(context, input), caller)
      if (endpoint.discloses) {
        const db = services.db.of(organization.corp_id, originOf(endpoint, call, settings), budget)
        await noteDisclosure(endpoint, caller, input, db, now)
      }
      return body
    }
    const write = async (db: Queryable) =>
      rendered(call, render, await handle({ ...context, db }, input), caller)
    const key = endpoint.callsOut ? undefined : idempotencyKeyOf(call.request.headers)
    const answered =
      key === undefined || isDryRun ? write(context.db) : answerOnce(key, call, context, input, write)
    const body = await notingWrite(services, caller, answered)
    if (endpoint.afterwards) {
      // On a new handle: a transaction of the call has ended.
      const db = services.db.of(organization.corp_id, origin)
      endpoint.afterwards({ ...context, db }, input).catch(() => undefined)
    }
    return body
  }
}

function rendered(call: Call, render: BodyRenderer, data: unknown, caller?: Caller): Body {
  if (!call.times) return render(data, caller)
  const beganMs = performance.now()
  const body = render(data, caller)
  addTime(call.times, 'render', beganMs, performance.now())
  return body
}

type UseCase = (context: OrganizationContext, input: Input) => Promise<unknown>

/** The use case of an operation. One that names a user repeats for the survivor if the user was merged. */
function useCaseOf(endpoint: OrganizationEndpoint): UseCase {
  if (!('user_id' in endpoint.input.properties)) return (context, input) => endpoint.handle(context, input)
  return (context, input) => asSurvivor(context, input, (named: Input) => endpoint.handle(context, named))
}
