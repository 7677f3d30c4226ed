import type { OrganizationContext } from '../contract/endpoint.ts'
import { taken } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Queryable } from '../database/database.ts'
import { draftOrder, type OrderDraft, type SettledDraft, settleDraft } from './draft-order.ts'
import { recordVersions } from './history-store.ts'
import { takeInstants } from './ledger-clock-store.ts'
import type { OrderCreation } from './order-creation.ts'
import { findSources, sourcesOf } from './order-sources.ts'
import {
  findByExternalIds,
  insertingSubOrders,
  insertOrders,
  type KnownCreation,
} from './order-write-store.ts'
import { projectOrders } from './read-model/project-orders.ts'

/** What a creation answers; a repetition is answered alike for ever. */
export interface CreatedOrder {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}

/** Makes an order, or finds the one that this external_id made. */
export async function makeOrder(context: OrganizationContext, input: OrderCreation): Promise<CreatedOrder> {
  const { corp_id } = context.organization
  const creation_hash = fingerprint(input)
  return context.db.transaction(async (tx) => {
    const known = await findKnown(tx, input, creation_hash)
    if (known) return known
    const sources = sourcesOf(input, await findSources(tx, corp_id, [input]))
    const draft = draftOrder(context, input, sources, creation_hash)
    const [made] = await storeDrafts(tx, context, [draft])
    // Somebody else has made it meanwhile.
    if (!made) return (await findKnown(tx, input, creation_hash))!
    await projectOrders(tx, corp_id, [made.state.order_id])
    const { order_id, total_price, currency, subOrders } = made.state
    return {
      order_id,
      sub_order_ids: subOrders.map(({ sub_order_id }) => sub_order_id),
      total_price,
      currency,
    }
  })
}

/**
 * Puts drafts into the ledger, each at an instant of its own, and returns those that got in: an order whose external_id
 * belongs to another one does not. The read model is left to the caller, who may have payments to add.
 */
export async function storeDrafts(
  tx: Queryable,
  { organization: { corp_id }, account, newId }: OrganizationContext,
  drafts: OrderDraft[],
): Promise<SettledDraft[]> {
  const instants = await takeInstants(tx, corp_id, drafts.length)
  const settled = drafts.map((draft, index) => settleDraft(draft, newId, instants[index]!))
  const stored = await insertOrders(
    tx,
    corp_id,
    settled.map(({ order }) => order),
  )
  const made = settled.filter(({ state }) => stored.has(state.order_id))
  if (made.length === 0) return []
  const cause = { change: 'created', from_status: null, executor_id: account.app_id } as const
  const causes = made.map(({ state: { order_id }, at }) => ({
    ...{ ...cause, order_id, at, reason: null, subject_id: null },
  }))
  const subOrders = made.flatMap((each) => each.subOrders)
  await tx.pipeline(insertingSubOrders(corp_id, subOrders))
  await recordVersions(tx, corp_id, causes)
  return made
}

async function findKnown(
  tx: Queryable,
  { corp_id, external_id }: OrderCreation,
  hash: string,
): Promise<CreatedOrder | undefined> {
  if (external_id === undefined) return undefined
  const [known] = await findByExternalIds(tx, corp_id, [external_id])
  if (!known) return undefined
  if (known.creation_hash === hash) return answerOf(known)
  throw taken('external_id', 'belongs to an order of other content', { order_id: known.order_id })
}

function answerOf({ order_id, sub_order_ids, total_price, currency }: KnownCreation): CreatedOrder {
  return { order_id, sub_order_ids, total_price, currency }
}
