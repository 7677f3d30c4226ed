import { ApiError } from '../contract/errors.ts'
import type { Origin } from '../contract/origin.ts'
import { batchedWrite } from '../database/batched-write.ts'
import type { Queryable, Statements } from '../database/database.ts'
import { firstRow } from '../database/first-row.ts'
import { retryTakenKeys } from '../database/unique-violation.ts'
import { countingPayments, type Facts, insertingFacts, type ReadCharges } from './ledger/fact-store.ts'
import {
  type MadeVersion,
  type RecordedRows,
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
import { factsOf, tablesOf } from './order-facts.ts'
import type { OrderState } from './rules/order-rules.ts'

/** The author of changes, and the organization whose orders change. */
export interface Changer {
  db: Queryable
  corp_id: string
  executor_id: string | null
}

/**
 * The outcome of a change: the new state, its reason and its facts, or the result of an earlier call that is repeated.
 * Allocations, retentions and write-offs follow from the state.
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

/** Computes the outcome of one change, without a database. It throws an ApiError to refuse this change only. */
export interface Rule<Change, Result> {
  (change: Change, state: OrderState, at: LedgerInstant): Outcome<Result>
  /**
   * The charges that the rule read, and the numbers of their payments. They are counted again once the clock is locked: no
   * unique index detects the same charge with and without its provider, or a void that was reversed.
   */
  charges?: ReadCharges
}

/** Reads the records that a rule needs, for all changes at once, while their orders and the clock are locked. */
export interface FindRule<Change, Result> {
  (tx: Queryable, changes: Change[], states: OrderStates): Promise<Rule<Change, Result>>
  /**
   * Set where order locks suffice, because a unique index detects a conflict with a change of another order. The records
   * are then read before the clock is locked, unless the transaction is the caller's and cannot be retried.
   */
  isFoundBeforeClock?: boolean
  /** Set where deleted orders are changed too. For other rules they do not exist. */
  includesDeleted?: boolean
  /** Set where the rule moves unapplied money, which may be on the account of a payer. */
  includesAccounts?: boolean
  /** Set where the rule reads payments that may have money on other orders. The change then shares no transaction. */
  isAlone?: boolean
}

/** A change of one order that a caller requested. */
interface Request<Result> {
  change: { order_id: string }
  executor_id: string | null
  origin: Origin
  // biome-ignore lint/suspicious/noExplicitAny: a batch has changes of every kind.
  findRule: FindRule<any, Result>
}

/**
 * Changes one order; a refusal is thrown. Changes of different orders that wait at the same time share a transaction and
 * its statements.
 */
export async function changeOrder<Change extends { order_id: string }, Result>(
  changer: Changer,
  change: Change,
  findRule: FindRule<Change, Result>,
): Promise<Result> {
  const { db, corp_id } = changer
  if (findRule.isAlone) return firstRow(await changeOrders(changer, [change], findRule))
  const settled = await changeTogether(db, corp_id, firstRow(requestsOf(changer, [change], findRule)))
  return resultOf(settled as PromiseSettledResult<Result>)
}

const changeTogether = batchedWrite(async (on, corp_id, requests: Request<unknown>[]) => {
  // Of several changes of one order, the first is made. The batcher tries the others again.
  const first = new Map(requests.toReversed().map((request) => [request.change.order_id, request]))
  const made = requests.filter((request) => first.get(request.change.order_id) === request)
  const results = await settleRequests(on, corp_id, made)
  return requests.map((request) => results[made.indexOf(request)])
})

/** Changes different orders by one rule, in one transaction: all of them, or none and the first refusal is thrown. */
export function changeOrders<Change extends { order_id: string }, Result>(
  changer: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
  options?: ChangeOptions,
): Promise<Result[]> {
  return changer.db.transaction(async (db) => {
    const requests = requestsOf(changer, changes, findRule)
    const results = await settleRequests(db, changer.corp_id, requests, { ...options, isAllOrNothing: true })
    return results.map(resultOf)
  })
}

/** The same, where a refusal rejects its own change only. */
export function settleChanges<Change extends { order_id: string }, Result>(
  changer: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
): Promise<PromiseSettledResult<Result>[]> {
  return settleRequests(changer.db, changer.corp_id, requestsOf(changer, changes, findRule))
}

function requestsOf<Result>(
  { db, executor_id }: Changer,
  changes: { order_id: string }[],
  findRule: Request<Result>['findRule'],
): Request<Result>[] {
  return changes.map((change) => ({ change, executor_id, origin: db.origin, findRule }))
}

interface ChangeOptions {
  /** The caller changes the orders again in the same transaction, and updates the read model at its end. */
  updatesReadModelLater?: boolean
}

/**
 * The one way to change orders: lock them, take instants of the ledger's clock, apply the rule to each, and store the
 * outcomes with one statement per table. A refused change leaves nothing and does not affect the others. Any other error
 * rolls back all of them.
 */
async function settleRequests<Result>(
  db: Queryable,
  corp_id: string,
  requests: Request<Result>[],
  {
    updatesReadModelLater = false,
    isAllOrNothing = false,
  }: ChangeOptions & { isAllOrNothing?: boolean } = {},
): Promise<PromiseSettledResult<Result>[]> {
  const isRetried = !db.isTransaction
  const change = () =>
    db.transaction(async (tx) => {
      const { results, changed, writes, recording, model } = await plan(tx, corp_id, requests, isRetried)
      if (isAllOrNothing) for (const result of results) resultOf(result)
      if (changed.length === 0) throw new NothingChanged(results)
      if (updatesReadModelLater) {
        const rows = await tx.pipeline<{ writes: object } & RecordedRows>({ writes, ...recording.record })
        await tx.pipeline(recording.chain(rows))
      } else await projectOrders(tx, corp_id, changed, { writes, recording, model, isLast: true })
      return results
    })
  try {
    const isLost = (error: unknown) => error instanceof ChargeRecorded
    return await (isRetried ? retryTakenKeys(chargeKeys, change, isLost) : change())
  } catch (error) {
    if (error instanceof NothingChanged) return error.results as PromiseSettledResult<Result>[]
    throw error
  }
}

/** The unique keys that changes of different orders compete for. */
const chargeKeys = ['payments_by_charge', 'payments_by_receipt']

/** Another transaction recorded a charge of this one before the clock was locked. */
class ChargeRecorded extends Error {}

function chargesOf(rules: Pick<Rule<never, unknown>, 'charges'>[]): ReadCharges {
  const charges = rules.flatMap((rule) => rule.charges ?? [])
  return {
    ids: charges.flatMap(({ ids }) => ids),
    payments: charges.reduce((all, { payments }) => all + payments, 0),
    valid: charges.reduce((all, { valid }) => all + valid, 0),
  }
}

/** Rolls back a transaction without changes, so that it takes no instants of the clock. */
class NothingChanged extends Error {
  readonly results: PromiseSettledResult<unknown>[]

  constructor(results: PromiseSettledResult<unknown>[]) {
    super('Nothing was changed')
    this.results = results
  }
}

/** The result of a change that was made; throws the refusal of one that was not. */
export function resultOf<Result>(result: PromiseSettledResult<Result>): Result {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

interface PlannedChanges<Result> {
  results: PromiseSettledResult<Result>[]
  /** The ids of the orders that have a new version. */
  changed: string[]
  writes: Statements
  recording: Recording
  /** The read model of these orders before the change. */
  model: StoredModel
}

async function plan<Result>(
  tx: Queryable,
  corp_id: string,
  requests: Request<Result>[],
  isRetried: boolean,
): Promise<PlannedChanges<Result>> {
  const ids = requests.map(({ change }) => change.order_id)
  if (new Set(ids).size < ids.length) throw new Error('Changes of one call must be of different orders')
  const deletable = requests.filter(({ findRule }) => findRule.includesDeleted)
  const accounts = requests.filter(({ findRule }) => findRule.includesAccounts)
  const included = {
    deleted: new Set(deletable.map(({ change }) => change.order_id)),
    accounts: new Set(accounts.map(({ change }) => change.order_id)),
  }
  const states = statesOf(await tx.pipeline<LockedRows>(lockingStates(corp_id, ids)), included)
  const found = requests.filter(({ change }) => states.has(change.order_id))
  const isEarly = ({ findRule }: Request<Result>) => isRetried && findRule.isFoundBeforeClock === true
  const { early = [], late = [] } = Object.groupBy(found, (each) => (isEarly(each) ? 'early' : 'late'))
  const earlyRules = await findRules(tx, early, states)
  const read = chargesOf([...earlyRules.values()])
  const { clock, charged, ...modelRows } = await tx.pipeline<
    { clock: ClockRow; charged: Omit<ReadCharges, 'ids'> } & ModelRows
  >({
    clock: takingInstants(corp_id, ids.length),
    charged: read.ids.length > 0 ? countingPayments(corp_id, read.ids) : [],
    ...findingModel(corp_id, ids),
  })
  if (read.ids.length > 0) {
    const { payments, valid } = firstRow(charged)
    if (payments !== read.payments || valid !== read.valid) throw new ChargeRecorded()
  }
  const model = modelOf(modelRows)
  const instants = instantsOf(clock, ids.length)
  const rules = new Map([...earlyRules, ...(await findRules(tx, late, states))])
  const made: Made[] = []
  const results = requests.map(({ change, executor_id, origin, findRule }, index) =>
    settled(() => {
      const [before, rule, at] = [states.get(change.order_id), rules.get(findRule), instants[index]]
      if (!before || !rule || at === undefined) throw new ApiError('orderNotFound')
      const outcome = rule(change, before, at)
      if ('unchanged' in outcome) return outcome.unchanged
      made.push(madeOf(outcome, before, executor_id, at))
      tx.note(versionNote(change.order_id, before.version + 1, origin, actionOf(outcome)))
      return outcome.result({ version: before.version + 1, to_status: outcome.state.status })
    }),
  )
  const causes = made.map(({ version }) => version)
  const facts = made.map((each) => each.facts)
  return {
    results,
    changed: causes.map(({ order_id }) => order_id),
    writes: made.length > 0 ? storing({ corp_id, time_zone: model.time_zone }, made) : [],
    recording: recordingVersions(corp_id, causes, tablesOf(facts)),
    model,
  }
}

/** Finds each rule once, for all changes that share it. */
async function findRules<Result>(tx: Queryable, requests: Request<Result>[], states: OrderStates) {
  const rules = new Map<Request<Result>['findRule'], Rule<{ order_id: string }, Result>>()
  for (const [findRule, group] of Map.groupBy(requests, (each) => each.findRule)) {
    const changes = group.map(({ change }) => change)
    rules.set(findRule, await findRule(tx, changes, states))
  }
  return rules
}

/** The action that the audit notes for the change. */
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
  const from_status = before.status === after.status ? null : before.status
  return {
    before,
    after,
    fields,
    erasesCopy,
    at,
    facts: { ...facts, ...factsOf(before, after, { ...cause, executor_id, at }) },
    version: { ...cause, order_id: after.order_id, at, from_status, executor_id },
  }
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

/** A refusal is a result; any other error fails the transaction. */
export function settled<Result>(work: () => Result): PromiseSettledResult<Result> {
  try {
    return { status: 'fulfilled', value: work() }
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason
    return { status: 'rejected', reason }
  }
}
