import { isDeepStrictEqual } from 'node:util'
import { appendStatementLines } from '../../src/backoffice/finance/reconciliation/append-statement-lines.ts'
import { createBankAccount } from '../../src/backoffice/finance/reconciliation/bank-accounts.ts'
import { openStatement } from '../../src/backoffice/finance/reconciliation/bank-statements.ts'
import { listBankLines } from '../../src/backoffice/finance/reconciliation/list-bank-lines.ts'
import { matchBankLines } from '../../src/backoffice/finance/reconciliation/match-bank-lines.ts'
import {
  confirmCertainMatches,
  ignoreBankLines,
  unmatchBankLines,
} from '../../src/backoffice/finance/reconciliation/settle-bank-lines.ts'
import { transferBankLines } from '../../src/backoffice/finance/reconciliation/transfer-bank-lines.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { assignPayer } from '../../src/orders/payers/assign-payer.ts'
import { createPayer } from '../../src/orders/payers/create-payer.ts'
import { applyPayment } from '../../src/orders/payments/apply-payment.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { movePayment } from '../../src/orders/payments/move-payment.ts'
import { recordReceipt } from '../../src/orders/payments/record-receipt.ts'
import { reverseRefund } from '../../src/orders/payments/reverse-refund.ts'
import { reverseVoid } from '../../src/orders/payments/reverse-void.ts'
import { unapplyPayment } from '../../src/orders/payments/unapply-payment.ts'
import { voidPayment } from '../../src/orders/payments/void-payment.ts'
import { updateStatus } from '../../src/orders/update-status.ts'
import { writeOffOrder } from '../../src/orders/write-off-order.ts'
import type { TestLedger } from '../harness/ledger.ts'
import { afterBankStep, type BankStep } from './bank-model.ts'
import { compareWorld } from './compare-world.ts'
import { timeText } from './history-steps.ts'
import { type ModelOrder, noMoney, sum } from './order-model.ts'
import { permutations } from './play-history.ts'
import { afterStep, type Report, type World, type WorldOutcome, type WorldStep } from './world-model.ts'
import { type Setting, type WorldHistory, worldStepOf } from './world-steps.ts'

/** A school for consecutive histories. Its clock only advances. */
export interface WorldGround {
  school: TestLedger
  now: number
  histories: number
  steps: number
  refused: number
  /** The model of every history at its end, with its bank accounts. */
  ended: { world: World; setting: Setting }[]
}

export const worldGround = (school: TestLedger): WorldGround => ({
  school,
  now: Date.UTC(2027, 0, 1),
  histories: 0,
  steps: 0,
  refused: 0,
  ended: [],
})

interface Observed {
  step: WorldStep | BankStep
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation.
  data: any
}

let counter = 0
const fresh = () => `w${counter++}`

/** Plays a history against the service and the model, and compares both at its end. */
export async function playWorld(ground: WorldGround, history: WorldHistory): Promise<void> {
  ground.histories++
  const { world, setting } = await begin(ground, history)
  // Simultaneous steps may have more than one explanation.
  let worlds = [world]
  const before: (WorldStep | BankStep)[] = []
  for (const round of history.rounds) {
    ground.now += 7 * 3_600_000
    const situation = { ...setting, world: worlds[0]!, now: ground.now, before, fresh }
    const steps = round.flatMap((wish) => worldStepOf(wish, situation) ?? [])
    before.push(...steps)
    const observed = await Promise.all(steps.map((step) => observe(ground, worlds[0]!, setting, step)))
    ground.steps += steps.length
    ground.refused += observed.filter(({ code }) => code !== 0).length
    worlds = explained(worlds, observed)
  }
  const failures: unknown[] = []
  for (const each of worlds) {
    try {
      await compareWorld(ground, each, setting)
      ground.ended.push({ world: each, setting })
      return
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

/** Two orders in one currency and a third in another, two payers, a bank account and a gateway. */
async function begin(ground: WorldGround, history: WorldHistory) {
  const { school, now } = ground
  const { currency, totals, installments, opening } = history
  const run = (endpoint: unknown, input: Record<string, unknown>) =>
    school.run(endpoint, input, new Date(now))
  const orders = new Map<string, ModelOrder>()
  for (const [listed, money] of [
    [totals[0], currency],
    [totals[1], currency],
    [5000, 'USD'],
  ] as [number, string][]) {
    const plan = { currency: money, listed_price: listed, installment_count: installments }
    const { order_id, sub_order_ids } = await run(createOrder, { user_id: school.user_id, ...plan })
    orders.set(order_id, orderOf(money, listed, sub_order_ids))
  }
  const payers: string[] = []
  for (const name of ['One', 'Two']) payers.push((await run(createPayer, { name })).payer_id)
  const bank: Setting['bank'] = []
  for (const provider of ['', 'stripe']) {
    const account = { name: fresh(), currency, opening_price: opening, ...(provider && { provider }) }
    bank.push({ account_id: (await run(createBankAccount, account)).account_id, provider, opening })
  }
  const world: World = { currency, orders, accounts: new Map(), payments: [], refunds: [], lines: [] }
  return { world, setting: { payers, bank, foreign: 'USD' } }
}

function orderOf(currency: string, listed: number, subOrderIds: string[]): ModelOrder {
  const each = Math.floor(listed / subOrderIds.length)
  const subOrders = subOrderIds.map((sub_order_id, index) => ({
    ...{ ...noMoney, sub_order_id, deadline: null },
    total: index < subOrderIds.length - 1 ? each : listed - each * index,
  }))
  return {
    ...{ status: 'created', version: 1, currency, listed, discounted: listed, charge: 0, coupons: [] },
    ...{ subOrders, payments: [], refunds: [], transfers: [], other: null },
  }
}

/** The worlds in which the steps get their responses, in some order. */
function explained(worlds: World[], observed: Observed[]): World[] {
  const found: World[] = []
  for (const world of worlds)
    for (const sequence of permutations(observed)) {
      let after: World | undefined = world
      for (const each of sequence) after = after && afterObserved(after, each)
      if (after && !found.some((other) => isDeepStrictEqual(other, after))) found.push(after)
    }
  if (found.length > 0) return found
  const shown = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  const text = JSON.stringify({ world: worlds[0], observed }, shown, 1)
  throw new Error(`No order of these steps explains their answers: ${text}`)
}

function afterObserved(world: World, { step, code, data }: Observed): World | undefined {
  const outcome = outcomeOf(world, step, data)
  if (outcome.code !== code) return undefined
  if (code !== 0) return outcome.world
  const made = data.payment_id ?? data.refund_id
  if (outcome.id !== undefined && outcome.id !== made) return undefined
  if (outcome.matched !== undefined && outcome.matched !== data.matched) return undefined
  const isRepeated = outcome.world === world
  if (!isRepeated && data.order_id !== undefined && data.order_version !== undefined) {
    const order = outcome.world.orders.get(data.order_id)
    if (order && (order.version !== data.order_version || order.status !== data.order_status))
      return undefined
  }
  return outcome.world
}

function outcomeOf(
  world: World,
  step: Observed['step'],
  data: Observed['data'],
): WorldOutcome & { matched?: number } {
  switch (step.kind) {
    case 'import':
    case 'match':
    case 'ignore':
    case 'unmatch':
    case 'bankTransfer':
    case 'confirm':
      return afterBankStep(world, step, data ?? { booked: [] })
    default:
      return afterStep(world, step, { id: data?.payment_id ?? data?.refund_id ?? '', home: data?.order_id })
  }
}

async function observe(
  ground: WorldGround,
  world: World,
  setting: Setting,
  step: Observed['step'],
): Promise<Observed> {
  for (;;)
    try {
      return { step, code: 0, data: await play(ground, world, setting, step) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A move that loses a race is refused with the advice to retry.
      if (!error.message.includes('moved at the same time'))
        return { step, code: error.code, data: undefined }
    }
}

const reason = 'Because'

/** Runs the operation of a step. The answers of bank operations become the ids that the model needs. */
function play({ school, now }: WorldGround, world: World, setting: Setting, step: Observed['step']) {
  const run = (endpoint: unknown, input: Record<string, unknown>) =>
    school.run(endpoint, input, new Date(now))
  const { kind, ...named } = step
  switch (step.kind) {
    case 'pay': {
      const { order_id, payer, report, reinstate } = step
      return run(createPayment, { order_id, ...paidBy(payer), ...reported(report), reinstate })
    }
    case 'receipt': {
      const { payer, report, reinstate, allocations } = step
      return run(recordReceipt, { ...paidBy(payer), ...reported(report), reinstate, allocations })
    }
    case 'apply':
      return run(applyPayment, named)
    case 'unapply':
      return run(unapplyPayment, named)
    case 'refund':
      return run(createRefund, { ...named, reason: 'Refund' })
    case 'reverseRefund':
      return run(reverseRefund, { ...named, reason })
    case 'void':
      return run(voidPayment, { ...named, reason })
    case 'reverseVoid':
      return run(reverseVoid, { ...named, reason })
    case 'move':
      return run(movePayment, { ...named, reason })
    case 'assign':
      return run(assignPayer, { payment_id: step.payment_id, ...paidBy(step.payer ?? undefined) })
    case 'writeOff':
      return run(writeOffOrder, { ...named, reason })
    case 'cancel':
      return run(updateStatus, { order_id: step.order_id, status: 'canceled' })
    case 'import':
      return importLines(run, world, setting, step)
    case 'match':
      return run(matchBankLines, named).then(({ list: [line] }) => {
        const found = step.payment_ids.length + step.refund_ids.length
        const ids = (line.entries as { payment_id: string | null; refund_id: string | null }[]).slice(found)
        return { booked: ids.map((entry) => entry.payment_id ?? entry.refund_id ?? '') }
      })
    case 'ignore':
      return run(ignoreBankLines, { ...named, reason })
    case 'unmatch':
      return run(unmatchBankLines, named)
    case 'bankTransfer':
      return run(transferBankLines, named)
    case 'confirm':
      return run(confirmCertainMatches, named)
  }
  throw new Error(`no operation for ${kind}`)
}

const paidBy = (payer_id: string | undefined) => (payer_id === undefined ? {} : { payer_id })

function reported({ completed, comments, provider, ...report }: Report) {
  return {
    ...{ ...report, completed_time: timeText(completed) },
    ...(comments && { comments }),
    ...(provider && { provider }),
  }
}

/** A statement from the balance so far, in one call or two. */
async function importLines(
  run: TestLedger['run'],
  world: World,
  { bank }: Setting,
  { account_id, name, lines }: Extract<BankStep, { kind: 'import' }>,
) {
  const { provider, opening } = bank.find((each) => each.account_id === account_id)!
  const before = sum(world.lines.filter((line) => line.account_id === account_id).map(({ price }) => price))
  const opening_price = opening + before
  const closing_price = opening_price + sum(lines.map(({ price }) => price))
  const { statement_id } = await run(openStatement, { account_id, name, opening_price, closing_price })
  const half = Math.floor(lines.length / 2)
  if (half > 0)
    await run(appendStatementLines, { statement_id, first_number: 1, lines: lines.slice(0, half) })
  await run(appendStatementLines, {
    ...{ statement_id, first_number: half + 1, lines: lines.slice(half), completes: true },
  })
  const { list } = await run(listBankLines, { statement_id, page_size: 100 })
  const byNumber = (list as { number: number; line_id: string }[]).toSorted((a, b) => a.number - b.number)
  return { statement_id, provider, line_ids: byNumber.map(({ line_id }) => line_id), booked: [] }
}
