import { endOfDay, localTime, startOfDay } from '../../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import {
  DayText,
  described,
  Id,
  LongText,
  Money,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../../contract/fields.ts'
import { longest } from '../../../contract/lengths.ts'
import {
  dayParameters,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../../contract/paging.ts'
import { largestAmount } from '../../../contract/rounding.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { isUniqueViolation } from '../../../database/unique-violation.ts'
import { Currency } from '../../../orders/ledger/fields.ts'
import { findCashUps, findLastEntry, findTakings, insertCashUp, type Taking } from './cash-up-store.ts'

/** The operations share these members. A clerk without the permission finance cashes up and sees only own takings. */
const cashUpOperation = { group: 'Finance', since: 'Ver5.2026-11-18', permission: 'write' } as const

const Text = Type.String()
const Day = Type.String({ format: 'date', description: 'A day on the calendar of the organization' })
const Clerk = described(
  Id,
  'Clerk who recorded the payments; default: the caller. Other clerks need the permission finance',
)

const taking = {
  method: described(Text, '"" for payments without a method'),
  currency: Text,
  payments: Type.Integer(),
  taken_price: described(Money, 'Payments that the clerk took on the day, less voids'),
  returned_price: described(Money, 'Refunds that the clerk recorded on the day'),
  expected_price: described(Money, 'taken_price − returned_price'),
}

const CashUpRow = namedObject('CashUp', {
  cash_up_id: Id,
  clerk_id: Id,
  clerk_name: Text,
  day: DayText,
  entry: Type.Integer({ description: '1, or more for a correction' }),
  corrects: described(Text, 'The entry that this one corrects'),
  is_current: Type.Boolean({ description: 'Whether no later entry corrects it' }),
  reason: described(Text, 'Why the entry before it was wrong'),
  executor_id: Text,
  at: Timestamp,
  lines: Type.Array(
    namedObject('CashUpLine', {
      ...taking,
      counted_price: Money,
      difference: described(Money, 'counted_price − expected_price'),
      reason: described(Text, 'Why they differ'),
    }),
  ),
})
type CashUpRow = Static<typeof CashUpRow>

const corp_id = 'lakeside'
const exampleTaking = {
  method: 'cash',
  currency: 'CNY',
  payments: 3,
  taken_price: 150_000,
  returned_price: 20_000,
  expected_price: 130_000,
}
const exampleCashUp: CashUpRow = {
  cash_up_id: '0198c0defff27c41a2f0d8e6b4937215',
  clerk_id: 'lakeside-finance',
  clerk_name: 'Anna',
  day: '2026-11-02',
  entry: 1,
  corrects: '',
  is_current: true,
  reason: '',
  executor_id: 'lakeside-finance',
  at: '2026-11-02 18:05:00',
  lines: [{ ...exampleTaking, counted_price: 129_900, difference: -100, reason: 'One coin is missing' }],
}

/** The clerk whose takings the call concerns. */
function clerkOf({ account }: Pick<OrganizationContext, 'account'>, clerk_id = account.app_id): string {
  if (clerk_id === account.app_id || account.permissions.includes('finance')) return clerk_id
  throw new ApiError('permissionMissing', {
    msg: 'Only the finance office sees the takings of other clerks.',
  })
}

/** The day on the calendar of a zone. */
function dayIn(now: Date, timeZone: string): string {
  return localTime(now.toISOString(), timeZone).slice(0, 10)
}

async function takingsOf(
  { db, organization, now }: Pick<OrganizationContext, 'db' | 'organization' | 'now'>,
  clerk_id: string,
  day: string,
): Promise<Taking[]> {
  const { corp_id, time_zone } = organization
  if (day > dayIn(now, time_zone)) throw invalid('day', 'must not be in the future')
  return findTakings(db, corp_id, clerk_id, {
    from: startOfDay(day, time_zone),
    until: endOfDay(day, time_zone),
  })
}

/** The takings of a clerk on a day, before they are counted. */
export const fetchTakings = endpoint({
  ...cashUpOperation,
  id: 'fetchTakings',
  method: 'GET',
  path: '/api/v5/entity/finance/cash-up/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the takings of a clerk on a day',
  description:
    'The expected amounts by method and currency, and the cash-up of the day if there is one. Payments and refunds that were ' +
    'booked from a bank statement are left out.',
  input: Type.Object({
    corp_id: OrganizationId,
    clerk_id: Type.Optional(Clerk),
    day: Type.Optional(described(Day, 'Default: today')),
  }),
  data: Type.Object({
    clerk_id: Id,
    day: DayText,
    takings: Type.Array(namedObject('Taking', taking)),
    cash_up: Type.Optional(CashUpRow),
  }),
  example: {
    input: { corp_id, day: '2026-11-02' },
    data: { clerk_id: exampleCashUp.clerk_id, day: '2026-11-02', takings: [exampleTaking] },
  },
  errors: ['permissionMissing'],

  async handle(context, input) {
    const { db, organization, now } = context
    const clerk_id = clerkOf(context, input.clerk_id)
    const day = input.day ?? dayIn(now, organization.time_zone)
    const takings = await takingsOf(context, clerk_id, day)
    const last = await findLastEntry(db, organization.corp_id, clerk_id, day)
    const cash_up = last && (await cashUpOf(context, last.cash_up_id))
    return { clerk_id, day, takings: takings.map(withExpected), ...(cash_up && { cash_up }) }
  },
})

function withExpected(line: Taking) {
  return { ...line, expected_price: line.taken_price - line.returned_price }
}

async function cashUpOf(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  cash_up_id: string,
): Promise<CashUpRow | undefined> {
  const { corp_id, time_zone } = organization
  const filter = { corp_id, cash_up_id }
  const { list } = await findCashUps<CashUpRow>(db, filter, { limit: 1, offset: 0 }, time_zone)
  return list[0]
}

const Input = Type.Object({
  corp_id: OrganizationId,
  clerk_id: Type.Optional(Clerk),
  day: Day,
  lines: Type.Array(
    namedObject('CountedLine', {
      method: Type.String({ format: 'line', maxLength: longest.id }),
      currency: Currency,
      counted_price: Type.Integer({ minimum: -largestAmount, maximum: largestAmount }),
      reason: Type.Optional(described(LongText, 'Required if the counted amount is not the expected one')),
    }),
    { maxItems: longest.listItems, description: 'Every method and currency of the takings, once' },
  ),
  corrects: Type.Optional(described(Id, 'The last cash-up of the clerk and day, if this one corrects it')),
  reason: Type.Optional(described(LongText, 'Why it is corrected; required with corrects')),
})
type CashUpInput = Static<typeof Input>

/** Stores the counted takings of a clerk and day. */
export const createCashUp = endpoint({
  ...cashUpOperation,
  id: 'createCashUp',
  method: 'POST',
  path: '/api/v5/entity/finance/cash-up/create',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Cash up',
  description:
    'Compares the counted amounts with the takings of the day. A difference needs a reason. A cash-up is stored once and ' +
    'never changes: a correction is another entry, which names the one before it. Repeating a call returns the stored one.',
  input: Input,
  data: CashUpRow,
  example: {
    input: {
      corp_id,
      day: '2026-11-02',
      lines: [{ method: 'cash', currency: 'CNY', counted_price: 129_900, reason: 'One coin is missing' }],
    },
    data: exampleCashUp,
  },
  errors: ['permissionMissing', 'stateForbids'],

  async handle(context, input) {
    const { db, account, organization, newId, now } = context
    const { corp_id } = organization
    const { day, corrects, reason } = input
    const clerk_id = clerkOf(context, input.clerk_id)
    if (corrects !== undefined && reason === undefined) throw invalid('reason', 'is required with corrects')
    return db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      const lines = countedLines(await takingsOf(inside, clerk_id, day), input)
      const last = await findLastEntry(tx, corp_id, clerk_id, day)
      const before = last && (await cashUpOf(inside, last.cash_up_id))
      if (before && isSame(before, lines, input)) return before
      if (last?.cash_up_id !== corrects) throw alreadyCashedUp(last?.cash_up_id)
      const cash_up_id = newId()
      const entry = (last?.entry ?? 0) + 1
      await insertCashUp(tx, corp_id, {
        ...{ cash_up_id, clerk_id, day, entry, lines, at: now, executor_id: account.app_id },
        ...{ corrects: corrects ?? null, reason: reason ?? null },
      }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'cash_ups_corp_id_clerk_id_day_entry_key') ? alreadyCashedUp() : error
      })
      return (await cashUpOf(inside, cash_up_id))!
    })
  },
})

function alreadyCashedUp(cash_up_id?: string): ApiError {
  const msg =
    cash_up_id === undefined
      ? 'There is no such cash-up to correct, or another entry was stored at the same time.'
      : `The day is cashed up. To correct it, send corrects: ${cash_up_id}.`
  return new ApiError('stateForbids', { msg, allowed: [], ...(cash_up_id && { extra: { cash_up_id } }) })
}

/** The takings with their counted amounts. A line without takings is unrecorded money. */
function countedLines(takings: Taking[], { lines }: CashUpInput) {
  const keyOf = ({ method, currency }: { method: string; currency: string }) => `${currency} ${method}`
  const counted = new Map(lines.map((line) => [keyOf(line), line]))
  if (counted.size < lines.length) throw invalid('lines', 'must name each method and currency once')
  const missing = takings.find((line) => !counted.has(keyOf(line)))
  if (missing)
    throw invalid('lines', `must have a line for the method “${missing.method}” in ${missing.currency}`)
  const known = new Map(takings.map((line) => [keyOf(line), line]))
  return lines.map(({ method, currency, counted_price, reason }, index) => {
    const line = known.get(keyOf({ method, currency })) ?? {
      ...{ method, currency, payments: 0, taken_price: 0, returned_price: 0 },
    }
    const difference = counted_price - (line.taken_price - line.returned_price)
    if (difference !== 0 && reason === undefined)
      throw invalid(`lines/${index}/reason`, `is required: the difference is ${difference}`)
    return { ...line, counted_price, reason: reason ?? null }
  })
}

/** Whether a call repeats the stored cash-up. */
function isSame(
  before: CashUpRow,
  lines: ReturnType<typeof countedLines>,
  { corrects, reason }: CashUpInput,
) {
  const textOf = (some: { method: string; currency: string; counted_price: number; taken_price: number }[]) =>
    some
      .map((line) => [line.method, line.currency, line.counted_price, line.taken_price].join(' '))
      .sort()
      .join()
  const isRepetition = corrects === undefined || corrects === before.corrects
  return isRepetition && (reason ?? before.reason) === before.reason && textOf(before.lines) === textOf(lines)
}

/** Cash-ups, of the caller or of everybody. */
export const listCashUps = endpoint({
  ...cashUpOperation,
  id: 'listCashUps',
  method: 'GET',
  path: '/api/v5/entity/finance/cash-up/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List cash-ups',
  description:
    'The newest day first, with all corrections. A caller without the permission finance sees own cash-ups only.',
  input: Type.Object({
    corp_id: OrganizationId,
    clerk_id: Type.Optional(described(Id, 'Only of this clerk')),
    ...dayParameters,
    ...pageParameters,
  }),
  rules: rangeIsNotReversed,
  data: pageOf(CashUpRow),
  example: {
    input: { corp_id, start_date: '2026-11-01', end_date: '2026-11-30' },
    data: { total: 1, page: 0, page_size: 10, list: [exampleCashUp] },
  },
  errors: ['permissionMissing'],

  async handle(context, { corp_id, clerk_id, start_date, end_date, ...input }) {
    const { page, page_size, limit, offset } = windowOf(input)
    const isFinance = context.account.permissions.includes('finance')
    const clerk = clerk_id === undefined && isFinance ? undefined : clerkOf(context, clerk_id)
    const filter = { corp_id, clerk_id: clerk, start_date, end_date }
    const { total, list } = await cashUpsOf(context, filter, { limit, offset })
    return { total, page, page_size, list }
  },
})

export function cashUpsOf(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  filter: { corp_id: string; clerk_id?: string; start_date?: string; end_date?: string },
  window: { limit: number; offset: number },
): Promise<{ total: number; list: CashUpRow[] }> {
  return findCashUps<CashUpRow>(db, filter, window, organization.time_zone)
}
