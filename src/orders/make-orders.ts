import type { OrganizationContext } from '../contract/endpoint.ts'
import { taken } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Origin } from '../contract/origin.ts'
import { batchedWrite } from '../database/batched-write.ts'
import type { Queryable, Statements } from '../database/database.ts'
import { resultOf, settled } from './change-orders.ts'
import { draftOrder, type OrderDraft, type SettledDraft, settleDraft } from './draft-order.ts'
import { recordingVersions, recordVersions, type VersionCause, versionNote } from './ledger/history-store.ts'
import { takeInstants } from './ledger/ledger-clock-store.ts'
import {
  findByExternalIds,
  insertingSubOrders,
  insertOrders,
  type KnownCreation,
} from './ledger/order-write-store.ts'
import { projectOrders } from './listing/project-orders.ts'
import type { OrderCreation } from './order-creation.ts'
import { findSources, sourcesOf } from './order-sources.ts'

/** The response to a creation, and to every repetition of it. */
export interface CreatedOrder {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
  /** Whether it existed before this call. */
  isKnown: boolean
}

/** A creation that a caller requested. */
interface Request {
  context: OrganizationContext
  input: OrderCreation
  /** The input by which a repetition is recognized. */
  asked: OrderCreation
  origin: Origin
}

/** Creates an order, or finds the one with this external_id. Creations that wait at the same time share a transaction. */
export async function makeOrder(
  context: OrganizationContext,
  input: OrderCreation,
  asked = input,
): Promise<CreatedOrder> {
  const { db, organization } = context
  return resultOf(await makeTogether(db, organization.corp_id, { context, input, asked, origin: db.origin }))
}

type Created = PromiseSettledResult<CreatedOrder>

const makeTogether = batchedWrite((on, corp_id, requests: Request[]) =>
  on.transaction(async (tx): Promise<(Created | undefined)[]> => {
    const inputs = requests.map(({ input }) => input)
    const contexts = requests.map(({ context }) => context)
    const known = await findKnown(tx, corp_id, inputs)
    const found = await findSources(tx, corp_id, inputs, contexts)
    const drafts = new Map<Request, OrderDraft>()
    const firstOf = new Map(inputs.toReversed().map((input) => [input.external_id, input]))
    const results = requests.map((request): Created | undefined => {
      const { context, input, asked } = request
      // Of several with one external_id the first is created. The batcher tries the others again.
      if (input.external_id !== undefined && firstOf.get(input.external_id) !== input) return undefined
      const creation_hash = fingerprint(asked)
      const result = settled(() => {
        const existing = sameOrder(known.get(input.external_id ?? ''), creation_hash)
        if (!existing) drafts.set(request, draftOrder(context, input, sourcesOf(input, found), creation_hash))
        return existing
      })
      return drafts.has(request) ? undefined : (result as Created)
    })
    const created = await createDrafts(tx, corp_id, drafts)
    return requests.map((request, index) => results[index] ?? created.get(request))
  }),
)

/** Stores drafts and their read model. A draft whose external_id another order has is not stored, and has no result. */
async function createDrafts(
  tx: Queryable,
  corp_id: string,
  drafts: Map<Request, OrderDraft>,
): Promise<Map<Request, Created>> {
  const results = new Map<Request, Created>()
  const [first] = drafts.keys()
  if (!first) return results
  const { made, writes, causes } = await insertDrafts(tx, first.context, [...drafts.values()])
  const states = new Map(made.map(({ state }) => [state.order_id, state]))
  for (const [request, { order }] of drafts) {
    const state = states.get(order.order_id)
    if (!state) continue
    const { order_id, total_price, currency, subOrders } = state
    const sub_order_ids = subOrders.map(({ sub_order_id }) => sub_order_id)
    const value = { order_id, sub_order_ids, total_price, currency, isKnown: false }
    results.set(request, { status: 'fulfilled', value })
    tx.note(versionNote(order_id, 1, request.origin))
  }
  // A new order has no facts yet.
  const recording = recordingVersions(corp_id, causes, [])
  await projectOrders(tx, corp_id, [...states.keys()], { writes, recording })
  return results
}

/**
 * Stores drafts, each at its own instant of the ledger, and returns those stored: not those whose external_id another
 * order has. The caller updates the read model, since it may have payments to add.
 */
export async function storeDrafts(
  tx: Queryable,
  context: OrganizationContext,
  drafts: OrderDraft[],
): Promise<SettledDraft[]> {
  const { made, writes, causes } = await insertDrafts(tx, context, drafts)
  if (made.length === 0) return []
  await tx.pipeline(writes)
  await recordVersions(tx, context.organization.corp_id, causes)
  return made
}

/** Inserts the orders. The caller runs `writes` and records the first versions. */
async function insertDrafts(
  tx: Queryable,
  { organization: { corp_id }, newId }: OrganizationContext,
  drafts: OrderDraft[],
): Promise<{ made: SettledDraft[]; writes: Statements; causes: VersionCause[] }> {
  const instants = await takeInstants(tx, corp_id, drafts.length)
  const all = drafts.map((draft, index) => settleDraft(draft, newId, instants[index] ?? ''))
  const orders = all.map(({ order }) => order)
  const stored = await insertOrders(tx, corp_id, orders)
  const made = all.filter(({ state }) => stored.has(state.order_id))
  const writes = insertingSubOrders(
    corp_id,
    made.flatMap(({ subOrders }) => subOrders),
  )
  const causes = made.map(({ order: { executor_id }, state: { order_id }, at }) => ({
    order_id,
    at,
    change: 'created' as const,
    from_status: null,
    executor_id,
    reason: null,
    subject_id: null,
  }))
  return { made, writes, causes }
}

/** The orders that have these external ids, by external id. */
async function findKnown(
  tx: Queryable,
  corp_id: string,
  inputs: OrderCreation[],
): Promise<Map<string, KnownCreation>> {
  const ids = inputs.flatMap(({ external_id }) => external_id ?? [])
  const known = ids.length > 0 ? await findByExternalIds(tx, corp_id, ids) : []
  return new Map(known.map((each) => [each.external_id, each]))
}

function sameOrder(known: KnownCreation | undefined, hash: string): CreatedOrder | undefined {
  if (!known) return undefined
  const { order_id, sub_order_ids, total_price, currency, creation_hash } = known
  if (creation_hash === hash) return { order_id, sub_order_ids, total_price, currency, isKnown: true }
  throw taken('external_id', 'belongs to an order of other content', { order_id })
}
