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

/** What a creation answers; a repetition is answered alike for ever. */
export interface CreatedOrder {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}

/** A creation that is asked for, and in whose name. */
interface Asked {
  context: OrganizationContext
  input: OrderCreation
  origin: Origin
}

/** Makes an order, or finds the one that this external_id made. Those that wait at the same moment are made together. */
export async function makeOrder(context: OrganizationContext, input: OrderCreation): Promise<CreatedOrder> {
  const { db, organization } = context
  return resultOf(await makeTogether(db, organization.corp_id, { context, input, origin: db.origin }))
}

type Created = PromiseSettledResult<CreatedOrder>

const makeTogether = batchedWrite((on, corp_id, asked: Asked[]) =>
  on.transaction(async (tx): Promise<(Created | undefined)[]> => {
    const inputs = asked.map(({ input }) => input)
    const known = await findKnown(tx, corp_id, inputs)
    const found = await findSources(
      tx,
      corp_id,
      inputs,
      asked.map(({ context }) => context),
    )
    const drafts = new Map<Asked, OrderDraft>()
    const firstOf = new Map(inputs.toReversed().map((input) => [input.external_id, input]))
    const results = asked.map((each): Created | undefined => {
      const { context, input } = each
      // Of several under one external_id the first is made, and the others are tried again.
      if (input.external_id !== undefined && firstOf.get(input.external_id) !== input) return undefined
      const creation_hash = fingerprint(input)
      const result = settled(() => {
        const existing = sameOrder(known.get(input.external_id ?? ''), creation_hash)
        if (!existing) drafts.set(each, draftOrder(context, input, sourcesOf(input, found), creation_hash))
        return existing
      })
      return result.status === 'fulfilled' && !result.value ? undefined : (result as Created)
    })
    const made = drafts.size > 0 ? await storeAndProject(tx, asked[0]!.context, drafts) : undefined
    return asked.map((each, index) => results[index] ?? made?.get(each))
  }),
)

/** Those that got in, and what they are answered. */
async function storeAndProject(
  tx: Queryable,
  context: OrganizationContext,
  drafts: Map<Asked, OrderDraft>,
): Promise<Map<Asked, Created>> {
  const { corp_id } = context.organization
  const asked = [...drafts.keys()]
  const { made, writes, causes } = await insertDrafts(tx, context, [...drafts.values()])
  const settledDrafts = new Map(made.map((each) => [each.state.order_id, each.state]))
  const answers = new Map<Asked, Created>()
  for (const each of asked) {
    const state = settledDrafts.get(drafts.get(each)!.order.order_id)
    if (!state) continue
    const { order_id, total_price, currency, subOrders } = state
    const sub_order_ids = subOrders.map(({ sub_order_id }) => sub_order_id)
    answers.set(each, { status: 'fulfilled', value: { order_id, sub_order_ids, total_price, currency } })
    tx.note(versionNote(order_id, 1, each.origin))
  }
  // A new order has seen no fact yet.
  const recording = recordingVersions(corp_id, causes, [])
  await projectOrders(tx, corp_id, [...settledDrafts.keys()], { writes, recording })
  return answers
}

/**
 * Puts drafts into the ledger, each at an instant of its own, and returns those that got in: an order whose external_id
 * belongs to another one does not. The read model is left to the caller, who may have payments to add.
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

/** The orders themselves; what else is to be written of them, and their first versions, are left to do. */
async function insertDrafts(
  tx: Queryable,
  { organization: { corp_id }, newId }: OrganizationContext,
  drafts: OrderDraft[],
): Promise<{ made: SettledDraft[]; writes: Statements; causes: VersionCause[] }> {
  const instants = await takeInstants(tx, corp_id, drafts.length)
  const all = drafts.map((draft, index) => settleDraft(draft, newId, instants[index]!))
  const orders = all.map(({ order }) => order)
  const stored = await insertOrders(tx, corp_id, orders)
  const made = all.filter(({ state }) => stored.has(state.order_id))
  const writes = insertingSubOrders(
    corp_id,
    made.flatMap(({ subOrders }) => subOrders),
  )
  const causes = made.map(({ order: { executor_id }, state: { order_id }, at }) => ({
    ...{ order_id, at, change: 'created' as const, from_status: null, executor_id },
    ...{ reason: null, subject_id: null },
  }))
  return { made, writes, causes }
}

/** The orders that external ids belong to, by them. */
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
  if (creation_hash === hash) return { order_id, sub_order_ids, total_price, currency }
  throw taken('external_id', 'belongs to an order of other content', { order_id })
}
