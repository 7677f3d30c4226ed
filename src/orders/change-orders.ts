import { ApiError } from '../contract/errors.ts'
import type { Origin } from '../contract/origin.ts'
import { batchedWrite } from '../database/batched-write.ts'
import type { Queryable, Statements } from '../database/database.ts'
import { retryLostRaces } from '../database/unique-violation.ts'
import { type FactTableName, factTableNames } from './ledger/chain/fact-tables.ts'
import { type Facts, insertingFacts } from './ledger/fact-store.ts'
import {
  type MadeVersion,
  type Recording,
  recordingVersions,
  type VersionCause,
  versionNote,
} from './ledger/history-store.ts'
import { type ClockRow, instantsOf, type LedgerInstant, takingInstants } from './ledger/ledger-clock-store.ts'
import {
  type ChangedOrder,
  type LockedRows,
  lockingStates,
  type OrderFields,
  type OrderStates,
  statesOf,
  storingStates,
} from './ledger/order-state-store.ts'
import { insertingReceipts } from './ledger/receipt-store.ts'
import { projectOrders } from './listing/project-orders.ts'
import {
  findingModel,
  type ModelRows,
  modelOf,
  type StoredModel,
  type Zoned,
} from './listing/read-model-store.ts'
import { difference } from './rules/allocation.ts'
import { held, type OrderState } from './rules/order-rules.ts'

/** Who changes orders, and of which organization. */
export interface Changer {
  db: Queryable
  corp_id: string
  executor_id: string | null
}

/**
 * What a change comes to: a new state with its reason and what happened, or an answer for what was done already. Where
 * money lies, what is retained and what is written off follows from the state.
 */
export type Outcome<Result> =
  | { unchanged: Result }
  | {
      state: OrderState
      fields?: OrderFields
      erasesCopy?: boolean
      facts?: Facts
      cause: Pick<VersionCause, 'change' | 'reason' | 'subject_id'>
      result(version: MadeVersion): Result
    }

/** Says what comes of a change of an order, without a database; a refusal is thrown, and rejects this change only. */
export type Rule<Change, Result> = (change: Change, state: OrderState, at: LedgerInstant) => Outcome<Result>

/** Reads what the rule has to know beside the orders: for all changes at once, under their locks and the clock. */
export interface FindRule<Change, Result> {
  (tx: Queryable, changes: Change[], states: OrderStates): Promise<Rule<Change, Result>>
  /**
   * Set where the locks of the orders suffice, and an index refuses what a change of another order makes untrue meanwhile:
   * then it is read while others still hold the clock, unless the transaction is somebody else's and cannot be run again.
   */
  isFoundBeforeClock?: boolean
  /** Set where deleted orders are changed as well; for other rules they do not exist. */
  includesDeleted?: boolean
}

/** A change of one order, who asks for it, and where its rule is found. */
interface Asked {
  change: { order_id: string }
  executor_id: string | null
  origin: Origin
  // biome-ignore lint/suspicious/noExplicitAny: changes of every kind are made together.
  findRule: FindRule<any, any>
}

/**
 * One change; its refusal is thrown. Changes of different orders that wait at the same moment are made together, in one
 * transaction and in as few statements as one would take.
 */
export async function changeOrder<Change extends { order_id: string }, Result>(
  { db, corp_id, executor_id }: Changer,
  change: Change,
  findRule: FindRule<Change, Result>,
): Promise<Result> {
  const result = await changeTogether(db, corp_id, { change, executor_id, origin: db.origin, findRule })
  return resultOf(result as PromiseSettledResult<Result>)
}

const changeTogether = batchedWrite(async (on, corp_id, asked: Asked[]) => {
  const ids = asked.map(({ change }) => change.order_id)
  // One after the other: of several changes of an order, the first is made, and the others are tried again.
  const first = asked.filter((_, index) => ids.indexOf(ids[index]!) === index)
  const results = new Map(first.map((each, index) => [each, index]))
  const made = await makeChanges(on, corp_id, first)
  return asked.map((each) => made[results.get(each) ?? -1])
})

/** Changes of different orders by one rule, in one transaction. */
export function changeOrders<Change extends { order_id: string }, Result>(
  { db, corp_id, executor_id }: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
): Promise<PromiseSettledResult<Result>[]> {
  return makeChanges(
    db,
    corp_id,
    changes.map((change) => ({ change, executor_id, origin: db.origin, findRule })),
  )
}

/**
 * The one way to change orders, each a different one: lock them, look at them, take instants of the ledger's clock, apply
 * the rule to each, and store what came of it: one statement per table, however many there are. A change that is refused
 * leaves nothing behind and does not keep the others; whatever else throws leaves nothing of any.
 */
async function makeChanges<Result>(
  db: Queryable,
  corp_id: string,
  asked: Asked[],
): Promise<PromiseSettledResult<Result>[]> {
  const isOwn = !db.isTransaction
  const change = () =>
    db.transaction(async (tx) => {
      const { results, changed, ...before } = await planChanges<Result>(tx, corp_id, asked, isOwn)
      if (changed.length === 0) throw new NothingChanged(results)
      await projectOrders(tx, corp_id, changed, { ...before, isLast: true })
      return results
    })
  try {
    return await (isOwn ? retryLostRaces(paymentRaces, change) : change())
  } catch (error) {
    if (error instanceof NothingChanged) return error.results as PromiseSettledResult<Result>[]
    throw error
  }
}

/** What two changes of different orders may both want to store. */
const paymentRaces = ['payments_by_charge']

/** Rolls back: of what changed nothing, nothing stays, the instants that it took included. */
class NothingChanged extends Error {
  readonly results: PromiseSettledResult<unknown>[]

  constructor(results: PromiseSettledResult<unknown>[]) {
    super('Nothing was changed')
    this.results = results
  }
}

/** The same within a transaction, for whoever has more to change before the read model follows. */
export async function applyChanges<Change extends { order_id: string }, Result>(
  { db, corp_id, executor_id }: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const asked = changes.map((change) => ({ change, executor_id, origin: db.origin, findRule }))
  const { results, writes, recording } = await planChanges<Result>(db, corp_id, asked, false)
  if (writes.length === 0) return results
  const answers = await db.pipeline([...writes, ...recording.record])
  await db.pipeline(recording.chain(answers.slice(writes.length)))
  return results
}

/** The result of a change that was made; throws why it was not. */
export function resultOf<Result>(result: PromiseSettledResult<Result>): Result {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

interface PlannedChanges<Result> {
  results: PromiseSettledResult<Result>[]
  /** The orders that are another version now. */
  changed: string[]
  writes: Statements
  recording: Recording
  /** What the read model has of them. */
  model: StoredModel
}

async function planChanges<Result>(
  tx: Queryable,
  corp_id: string,
  asked: Asked[],
  isRetried: boolean,
): Promise<PlannedChanges<Result>> {
  const ids = asked.map(({ change }) => change.order_id)
  if (new Set(ids).size < ids.length)
    throw new Error('Changes that are made together are of different orders')
  const includingDeleted = new Set(
    asked.filter(({ findRule }) => findRule.includesDeleted).map(({ change }) => change.order_id),
  )
  const states = statesOf(await tx.pipeline<LockedRows>(lockingStates(corp_id, ids)), (id) =>
    includingDeleted.has(id),
  )
  const known = asked.filter(({ change }) => states.has(change.order_id))
  const isEarly = ({ findRule }: Asked) => isRetried && findRule.isFoundBeforeClock === true
  const early = await findRules(tx, known.filter(isEarly), states)
  const [[clock], ...found] = await tx.pipeline<[ClockRow, ...ModelRows]>([
    takingInstants(corp_id, ids.length),
    ...findingModel(corp_id, ids),
  ])
  const model = modelOf(found)
  const instants = instantsOf(clock!, ids.length)
  const late = await findRules(
    tx,
    known.filter((each) => !isEarly(each)),
    states,
  )
  const rules = new Map([...early, ...late])
  const made: Made[] = []
  const results = asked.map(({ change, executor_id, origin, findRule }, index) =>
    settled((): Result => {
      const before = states.get(change.order_id)
      if (!before) throw new ApiError('orderNotFound')
      const outcome: Outcome<Result> = rules.get(findRule)!(change, before, instants[index]!)
      if ('unchanged' in outcome) return outcome.unchanged
      made.push(madeOf(outcome, before, executor_id, instants[index]!))
      tx.note(versionNote(change.order_id, before.version + 1, origin, actionOf(outcome)))
      return outcome.result({ version: before.version + 1, to_status: outcome.state.status })
    }),
  )
  return {
    results,
    changed: made.map(({ after }) => after.order_id),
    writes: made.length > 0 ? storing({ corp_id, time_zone: model.time_zone }, made) : [],
    recording: recordingVersions(
      corp_id,
      made.map(({ version }) => version),
      tablesOf(made.map(({ facts }) => facts)),
    ),
    model,
  }
}

/** A rule that several changes share is found once. */
async function findRules(tx: Queryable, asked: Asked[], states: OrderStates) {
  const rules = new Map<Asked['findRule'], Awaited<ReturnType<Asked['findRule']>>>()
  for (const [findRule, group] of Map.groupBy(asked, (each) => each.findRule)) {
    const changes = group.map(({ change }) => change)
    rules.set(findRule, await findRule(tx, changes, states))
  }
  return rules
}

/** What the change is to the audit. */
function actionOf({ fields, erasesCopy }: Pick<ChangedOrder, 'fields' | 'erasesCopy'>) {
  if (erasesCopy) return 'erased'
  if (fields?.is_deleted === undefined) return 'changed'
  return fields.is_deleted ? 'removed' : 'made'
}

interface Made extends ChangedOrder {
  facts: Facts
  version: VersionCause
}

function madeOf<Result>(
  { state: after, fields, erasesCopy, facts, cause }: Exclude<Outcome<Result>, { unchanged: Result }>,
  before: OrderState,
  executor_id: string | null,
  at: LedgerInstant,
): Made {
  const { order_id } = after
  const from_status = before.status === after.status ? null : before.status
  const why = { reason: cause.reason, executor_id, at }
  const following: Facts = {
    ...facts,
    payment_allocations: difference(before.allocations, after.allocations).map((moved) => ({
      ...{ ...moved, order_id, line: seqOf([after, before], moved.sub_order_id), at, cause: cause.change },
    })),
    order_retentions: [{ order_id, price: retained(after) - retained(before), ...why }],
    order_write_offs: writtenOff(before, after).map((line) => ({ ...line, order_id, ...why })),
  }
  const version = { ...cause, order_id, at, from_status, executor_id }
  return { before, after, fields, erasesCopy, at, facts: withoutNothing(following), version }
}

/** A sub-order that is left out had a place before. */
function seqOf(states: OrderState[], id: string): number {
  return states.flatMap(({ subOrders }) => subOrders).find(({ sub_order_id }) => sub_order_id === id)!.seq
}

/** What a canceled order has not given back, it keeps. */
function retained(state: OrderState): number {
  return state.status === 'canceled' ? held(state) : 0
}

function writtenOff(before: OrderState, after: OrderState): { sub_order_id: string; price: number }[] {
  const prices = new Map(after.subOrders.map((each) => [each.sub_order_id, each.writtenOff]))
  for (const { sub_order_id, writtenOff: price } of before.subOrders)
    prices.set(sub_order_id, (prices.get(sub_order_id) ?? 0) - price)
  return [...prices].map(([sub_order_id, price]) => ({ sub_order_id, price }))
}

function withoutNothing(facts: Facts): Facts {
  const rows = Object.entries(facts).map(([table, each]) => [
    table,
    each.filter((row) => !('price' in row) || row.price !== 0),
  ])
  return Object.fromEntries(rows)
}

/** The tables that facts lie in, once they are stored: a payment gets its receipt there. */
function tablesOf(facts: Facts[]): FactTableName[] {
  return factTableNames.filter((table) =>
    facts.some((each) => (table === 'receipts' ? each.payments : each[table])?.length),
  )
}

function storing(zoned: Zoned, made: Made[]): Statements {
  const { corp_id } = zoned
  const facts = made.map((each) => each.facts)
  const payments = facts.flatMap((each) => each.payments ?? [])
  return [
    ...insertingFacts(corp_id, facts),
    ...insertingReceipts(zoned, payments),
    ...storingStates(corp_id, made),
  ]
}

/** Refusals are outcomes; anything else is a failure of the whole. */
export function settled<Result>(work: () => Result): PromiseSettledResult<Result> {
  try {
    return { status: 'fulfilled', value: work() }
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason
    return { status: 'rejected', reason }
  }
}
