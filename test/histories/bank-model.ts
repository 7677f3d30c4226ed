/** The bank side of the model: statements, and the matches of their lines. No code of the service. */

import { sum } from './order-model.ts'
import {
  homeCurrency,
  isVoid,
  openLine,
  paid,
  refundIn,
  refused,
  type World,
  type WorldEntry,
  type WorldLine,
  type WorldOutcome,
  type WorldPayment,
} from './world-model.ts'

export interface Booking {
  as: 'payment' | 'refund' | 'chargeback' | 'fee' | 'difference' | 'unidentified'
  price: number
  order_id?: string
  payment_id?: string
  reason: string
}

export type BankStep =
  | { kind: 'import'; account_id: string; name: string; lines: NewLine[] }
  | { kind: 'match'; line_ids: string[]; payment_ids: string[]; refund_ids: string[]; book: Booking[] }
  | { kind: 'ignore' | 'unmatch'; line_ids: string[] }
  | { kind: 'bankTransfer'; line_id: string; other_line_id: string }
  | { kind: 'confirm'; statement_id: string }

export interface NewLine {
  price: number
  fee_price: number
  charge_id?: string
  description?: string
  value_date: string
}

/** Ids from responses of the service: of lines, and of the records that bookings created. */
export interface BankIds {
  statement_id: string
  line_ids: string[]
  booked: string[]
  provider: string
}

export function afterBankStep(
  world: World,
  step: BankStep,
  ids: BankIds,
): WorldOutcome & { matched?: number } {
  switch (step.kind) {
    case 'import': {
      const lines = step.lines.map(
        (line, index): WorldLine => ({
          ...{ line_id: ids.line_ids[index]!, account_id: step.account_id, statement_id: ids.statement_id },
          ...{
            price: line.price,
            fee: line.fee_price,
            charge_id: line.charge_id ?? null,
            day: line.value_date,
          },
          ...{ provider: ids.provider, description: line.description ?? null, state: 'open', entries: [] },
          ...{ joined: [], wasMatched: false },
        }),
      )
      return { code: 0, world: { ...world, lines: [...world.lines, ...lines] } }
    }
    case 'match':
      return matched(world, step, ids.booked)
    case 'ignore': {
      if (step.line_ids.some((id) => lineOf(world, id).state !== 'open')) return refused(world, 40904)
      const ignore = (after: World, id: string) =>
        settled(
          after,
          [id],
          'ignored',
          new Map([[id, [{ kind: 'ignored', id: null, price: lineOf(world, id).price }]]]),
        )
      return { code: 0, world: step.line_ids.reduce(ignore, world) }
    }
    case 'unmatch': {
      const joined = new Set(step.line_ids.flatMap((id) => lineOf(world, id).joined))
      const lines = world.lines.map((line) => (joined.has(line.line_id) ? openLine(line) : line))
      return { code: 0, world: { ...world, lines } }
    }
    case 'bankTransfer':
      return transferred(world, lineOf(world, step.line_id), lineOf(world, step.other_line_id))
    case 'confirm':
      return confirmed(world, step.statement_id)
  }
}

const lineOf = (world: World, id: string) => world.lines.find(({ line_id }) => line_id === id)!
export const grossOf = ({ price, fee }: WorldLine) => price + fee

export const isMatched = (world: World, id: string) =>
  world.lines.some(({ entries }) => entries.some((entry) => entry.id === id))

function settled(
  world: World,
  lineIds: string[],
  state: WorldLine['state'],
  entries: Map<string, WorldEntry[]>,
): World {
  const lines = world.lines.map((line) =>
    lineIds.includes(line.line_id)
      ? { ...line, state, joined: lineIds, entries: entries.get(line.line_id) ?? [] }
      : line,
  )
  return { ...world, lines }
}

/** The fee of a gateway is an entry of its line. */
const feeOf = ({ fee }: WorldLine): WorldEntry[] =>
  fee === 0 ? [] : [{ kind: 'fee', id: null, price: -fee }]

function matched(world: World, step: Extract<BankStep, { kind: 'match' }>, ids: string[]): WorldOutcome {
  const lines = step.line_ids.map((id) => lineOf(world, id))
  const { currency } = world
  if (lines.some(({ state }) => state !== 'open')) return refused(world, 40904)
  const payments = step.payment_ids.map((id) => world.payments.find(({ payment_id }) => payment_id === id)!)
  const refunds = step.refund_ids.map((id) => world.refunds.find(({ refund_id }) => refund_id === id)!)
  if (payments.some((each) => isMatched(world, each.payment_id) || isVoid(each))) return refused(world, 40002)
  if (refunds.some((each) => isMatched(world, each.refund_id) || each.isReversed))
    return refused(world, 40002)
  if (step.book.length > 0 && lines.length > 1) return refused(world, 40002)
  const counted = payments.map((each) => countedIn(world, each))
  if (counted.includes(undefined) || refunds.some((each) => each.currency !== currency))
    return refused(world, 40002)
  const named: WorldEntry[] = [
    ...payments.map((each, index) => ({ kind: 'payment', id: each.payment_id, price: counted[index]! })),
    ...refunds.map((each) => ({ kind: 'refund', id: each.refund_id, price: -each.price })),
  ]
  const all = sum(lines.map(grossOf))
  if (all !== sum([...named, ...step.book].map(({ price }) => price))) return refused(world, 40002)
  let after = world
  const booked: WorldEntry[] = []
  for (const [index, part] of step.book.entries()) {
    const outcome = bookedIn(after, lines[0]!, part, index, ids[index] ?? '')
    if (outcome.code !== 0) return refused(world, outcome.code)
    after = outcome.world
    const taken = outcome.id && [...named, ...booked].some(({ id }) => id === outcome.id)
    if (outcome.id && (taken || isMatched(after, outcome.id))) return refused(world, 40904)
    const kind = part.as === 'chargeback' ? 'refund' : part.as
    booked.push({ kind, id: outcome.id ?? null, price: part.price })
  }
  const entries = spread(lines, [...named, ...booked])
  if (!entries) return refused(world, 40002)
  for (const line of lines) entries.set(line.line_id, [...(entries.get(line.line_id) ?? []), ...feeOf(line)])
  const state = step.book.length > 0 ? 'booked' : 'matched'
  return { code: 0, world: settled(after, step.line_ids, state, entries) }
}

/** The amount of a payment on a line: its own, or that of its order. Undefined if neither is in the currency of the line. */
function countedIn(world: World, payment: WorldPayment): number | undefined {
  if (payment.currency === world.currency) return payment.price
  return homeCurrency(world, payment) === world.currency ? payment.order_price : undefined
}

function bookedIn(world: World, line: WorldLine, part: Booking, index: number, id: string): WorldOutcome {
  const { as, price, order_id = '', reason, payment_id } = part
  const charge_id = `${line.charge_id ?? line.line_id}${index === 0 ? '' : `#${index + 1}`}`
  const { currency } = world
  const { provider } = line
  if (as === 'payment') {
    if (price < 0) return refused(world, 40002)
    const completed = Date.parse(`${line.day}T00:00:00Z`)
    const report = { price, currency, charge_id, provider, comments: reason, completed }
    const outcome = paid(world, { order_id, report, reinstate: true }, id)
    return outcome
  }
  if (as !== 'refund' && as !== 'chargeback') return { code: 0, world }
  if (price > 0) return refused(world, 40002)
  const wanted = { order_id, payment_id, price: -price, currency, provider, reason }
  const effect = as === 'chargeback' ? ('return' as const) : ('credit' as const)
  // A refund of this charge that was reversed stays reversed: the line is another refund.
  for (let attempt = 1; ; attempt++) {
    const charge = attempt === 1 ? charge_id : `${charge_id}/${attempt}`
    const outcome = refundIn(world, { ...wanted, as: effect, charge_id: charge }, id)
    const made = outcome.world.refunds.find(({ refund_id }) => refund_id === outcome.id)
    if (outcome.code !== 0 || !made?.isReversed) return outcome
  }
}

/** Entries by line: each line takes its amount from the counterparts in turn. Undefined if their signs are mixed. */
function spread(lines: WorldLine[], counterparts: WorldEntry[]): Map<string, WorldEntry[]> | undefined {
  const [line] = lines
  if (lines.length === 1 && line) return new Map([[line.line_id, counterparts]])
  const signs = new Set([...lines.map(grossOf), ...counterparts.map(({ price }) => price)].map(Math.sign))
  const [sign] = signs
  if (signs.size !== 1 || sign === undefined || sign === 0) return undefined
  const entries = new Map<string, WorldEntry[]>(lines.map(({ line_id }) => [line_id, []]))
  const left = counterparts.map((each) => ({ ...each, price: Math.abs(each.price) }))
  for (const each of lines) {
    let rest = Math.abs(grossOf(each))
    for (const part of left) {
      const price = Math.min(rest, part.price)
      if (price === 0) continue
      entries.get(each.line_id)!.push({ kind: part.kind, id: part.id, price: sign * price })
      part.price -= price
      rest -= price
    }
  }
  return entries
}

function transferred(world: World, from: WorldLine, to: WorldLine): WorldOutcome {
  if (from.state !== 'open' || to.state !== 'open') return refused(world, 40904)
  const isPossible =
    from.price < 0 && to.price > 0 && from.account_id !== to.account_id && to.price <= -from.price
  return isPossible ? { code: 0, world: linked(world, from, to) } : refused(world, 40002)
}

function linked(world: World, from: WorldLine, to: WorldLine): World {
  const lost = -from.price - to.price
  const fee = lost === 0 ? [] : [{ kind: 'fee', id: null, price: -lost }]
  return settled(
    world,
    [from.line_id, to.line_id],
    'matched',
    new Map([
      [from.line_id, [{ kind: 'transfer', id: to.line_id, price: from.price }]],
      [to.line_id, [{ kind: 'transfer', id: from.line_id, price: to.price + lost }, ...fee]],
    ]),
  )
}

/** Certain matches of a statement: the same charge, a refund of the same charge, a named payout, a fee alone. */
function confirmed(world: World, statement_id: string): WorldOutcome & { matched: number } {
  let after = world
  const fresh = (isHere: boolean) =>
    after.lines.filter(
      (line) => line.state === 'open' && !line.wasMatched && (!isHere || line.statement_id === statement_id),
    )
  const match = (lines: WorldLine[], entries: Map<string, WorldEntry[]>) => {
    const full = new Map(
      lines.map((line) => [line.line_id, [...(entries.get(line.line_id) ?? []), ...feeOf(line)]]),
    )
    after = settled(
      after,
      lines.map(({ line_id }) => line_id),
      'matched',
      full,
    )
  }
  const isOf = (line: WorldLine, each: { charge_id?: string | undefined; provider: string }) =>
    line.charge_id !== null &&
    each.charge_id === line.charge_id &&
    (line.provider === '' || each.provider === '' || each.provider === line.provider)
  const open = () => after.payments.filter((each) => !isVoid(each) && !isMatched(after, each.payment_id))

  for (const payment of open()) {
    const isSame = (line: WorldLine, each: WorldPayment) =>
      isOf(line, each) && each.currency === world.currency
    const lines = fresh(true).filter(
      (line) =>
        grossOf(line) > 0 &&
        isSame(line, payment) &&
        open().filter((each) => isSame(line, each)).length === 1,
    )
    if (lines.length === 0 || sum(lines.map(grossOf)) !== payment.price) continue
    const counterpart = { kind: 'payment', id: payment.payment_id, price: payment.price }
    match(lines, spread(lines, [counterpart])!)
  }
  const settledAbroad = open().filter((each) => each.currency !== world.currency)
  const isAbroad = (line: WorldLine, each: WorldPayment) =>
    grossOf(line) > 0 &&
    line.provider !== '' &&
    line.charge_id === each.charge_id &&
    line.provider === each.provider
  for (const payment of settledAbroad) {
    const lines = fresh(true).filter((line) => isAbroad(line, payment))
    const [line] = lines
    if (!line || lines.length > 1 || settledAbroad.filter((each) => isAbroad(line, each)).length > 1) continue
    const price = homeCurrency(after, payment) === world.currency ? payment.order_price : grossOf(line)
    const difference = grossOf(line) - price
    match(
      [line],
      new Map([
        [
          line.line_id,
          [
            { kind: 'payment', id: payment.payment_id, price },
            ...(difference === 0 ? [] : [{ kind: 'difference', id: null, price: difference }]),
          ],
        ],
      ]),
    )
  }
  const returned = after.refunds.filter((each) => !each.isReversed && !isMatched(after, each.refund_id))
  const isReturn = (line: WorldLine, each: (typeof returned)[number]) =>
    isOf(line, each) && each.currency === world.currency && each.price === -grossOf(line)
  for (const each of returned) {
    const lines = fresh(true).filter((line) => isReturn(line, each))
    const [line] = lines
    if (!line || lines.length > 1 || returned.filter((other) => isReturn(line, other)).length > 1) continue
    match([line], new Map([[line.line_id, [{ kind: 'refund', id: each.refund_id, price: grossOf(line) }]]]))
  }
  const all = fresh(false)
  const names = (to: WorldLine, from: WorldLine) =>
    from.provider !== '' &&
    from.charge_id !== null &&
    grossOf(from) < 0 &&
    grossOf(to) > 0 &&
    to.price === -from.price &&
    to.account_id !== from.account_id &&
    `${to.charge_id ?? ''} ${to.description ?? ''}`.includes(from.charge_id)
  for (const from of all)
    for (const to of all.filter((each) => names(each, from))) {
      const isUnique =
        all.filter((each) => names(each, from)).length === 1 &&
        all.filter((each) => names(to, each)).length === 1
      if (isUnique && [from.statement_id, to.statement_id].includes(statement_id))
        match([from, to], payoutEntries(from, to))
    }
  for (const line of fresh(true)) if (line.fee !== 0 && grossOf(line) === 0) match([line], new Map())
  const before = new Set(world.lines.filter(({ state }) => state === 'open').map(({ line_id }) => line_id))
  const matched = after.lines.filter(({ line_id, state }) => state !== 'open' && before.has(line_id)).length
  return { code: 0, world: after, matched }
}

function payoutEntries(from: WorldLine, to: WorldLine): Map<string, WorldEntry[]> {
  return new Map([
    [from.line_id, [{ kind: 'transfer', id: to.line_id, price: grossOf(from) }]],
    [to.line_id, [{ kind: 'transfer', id: from.line_id, price: grossOf(to) }]],
  ])
}
