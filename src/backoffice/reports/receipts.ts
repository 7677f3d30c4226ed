import { endOfDay, startOfDay } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import type { InputFault } from '../../contract/errors.ts'
import {
  described,
  IsoInstant,
  Money,
  MonthText,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
  Timestamp,
} from '../../contract/fields.ts'
import { type DayRange, pageParameters, rangeIsNotReversed, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Currency } from '../../orders/ledger/fields.ts'
import { examplePage, figureRowsOf } from '../figure-rows.ts'
import { AsOf, asOfInstant } from '../finance/as-of.ts'
import { type ReceiptsQuery, readReceipts, readReceiptsRows } from './receipts-store.ts'

const CalendarDate = Type.String({ format: 'date' })

const question = {
  corp_id: OrganizationId,
  start_date: { ...CalendarDate, description: 'First day on which money moved, by its value date' },
  end_date: { ...CalendarDate, description: 'Last day, inclusive; at most three years in total' },
  as_of: Type.Optional(AsOf),
}
const Question = Type.Object(question)
const rangeIsBounded = boundedDays(1100)

const ReceiptsGroup = namedObject('ReceiptsGroup', {
  month: described(MonthText, 'YYYY-MM, on the calendar of the organization'),
  currency: described(Type.String(), 'Currency of the payment or refund'),
  course_code: described(Type.String(), 'Course of the order that has the money'),
  payments: Type.Integer({
    description: 'Payments that are not void; one that is on several orders counts for each of them',
  }),
  received: Money,
  refunds: Type.Integer(),
  refunded: Money,
  net: Money,
})

/** Receipts and refunds by month, currency and course. */
export const readReceiptsNumbers = endpoint({
  id: 'readReceiptsNumbers',
  method: 'GET',
  path: '/api/v5/entity/numbers/receipts',
  group: 'Numbers',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Sum receipts and refunds by month, currency and course',
  description:
    'By value date, each sum in its own currency. The figures follow the money: a payment that was moved counts for the ' +
    'course of its new order, and one that is on several orders is divided. Money that no order has counts for the order ' +
    'that it was recorded for. Void parts of payments are left out. numbers/receipts/rows lists the payments and refunds of every figure.',
  input: Question,
  rules: rangeIsBounded,
  data: Type.Object({ as_of: IsoInstant, list: Type.Array(ReceiptsGroup) }),
  example: {
    input: { corp_id: 'lakeside', start_date: '2026-10-01', end_date: '2026-10-31' },
    data: {
      as_of: '2026-11-15T09:30:00.000000Z',
      list: [
        {
          month: '2026-10',
          currency: 'CNY',
          course_code: 'EMBA-2027',
          payments: 12,
          received: 15_360_000,
          refunds: 1,
          refunded: 100_000,
          net: 15_260_000,
        },
      ],
    },
  },

  async handle(context, input) {
    const query = await queryOf(context, input)
    const groups = await readReceipts(context.db, query)
    const list = groups.map((group) => ({ ...group, net: group.received - group.refunded }))
    return { as_of: query.asOf, list }
  },
})

const ReceiptsRow = namedObject('ReceiptsRow', {
  kind: oneOf(['payment', 'refund']),
  id: Type.String({ description: 'Id of the payment or refund' }),
  order_id: Type.String(),
  user_id: Type.String(),
  course_code: Type.String(),
  month: MonthText,
  price: described(
    Money,
    'The part of the payment that the order has, in minor units; negative for a refund',
  ),
  currency: Type.String(),
  completed_time: Timestamp,
  ctime: Timestamp,
})

/** The payments and refunds behind a figure. */
export const listReceiptsRows = endpoint({
  id: 'listReceiptsRows',
  method: 'GET',
  path: '/api/v5/entity/numbers/receipts/rows',
  group: 'Numbers',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the payments and refunds of a figure of receipts',
  description:
    'Takes the query of numbers/receipts, for one currency and optionally a month, a course and a kind. ' +
    '`value` is the sum over all pages: received less refunded.',
  input: Type.Object({
    ...question,
    currency: Currency,
    month: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'Only this month' })),
    course_code: optionalLine(undefined, 'Only this course'),
    unnamed: Type.Optional(Type.Boolean({ description: 'Only orders without a course' })),
    kind: Type.Optional(oneOf(['payment', 'refund'])),
    ...pageParameters,
  }),
  rules: rangeIsBounded,
  data: figureRowsOf(ReceiptsRow),
  example: {
    input: {
      corp_id: 'lakeside',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      currency: 'CNY',
      month: '2026-10',
    },
    data: {
      as_of: '2026-11-15T09:30:00.000000Z',
      value: 1_280_000,
      ...examplePage,
      list: [
        {
          kind: 'payment',
          id: '01a0121322587365aa30fc31c91b3d5f',
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          course_code: 'EMBA-2027',
          month: '2026-10',
          price: 1_280_000,
          currency: 'CNY',
          completed_time: '2026-10-14 17:30:00',
          ctime: '2026-10-14 17:30:05',
        },
      ],
    },
  },

  async handle(context, { currency, month, course_code: named, unnamed, kind, ...input }) {
    const { page, page_size, limit, offset } = windowOf(input)
    const course_code = unnamed ? '' : named
    const query = { ...(await queryOf(context, input)), currency, month, course_code }
    const { total, value, rows } = await readReceiptsRows(context.db, query, kind, { limit, offset })
    return { as_of: query.asOf, value, total, page, page_size, list: rows }
  },
})

async function queryOf(
  context: OrganizationContext,
  { start_date, end_date, as_of }: Static<typeof Question>,
): Promise<ReceiptsQuery> {
  const { corp_id, time_zone: timeZone } = context.organization
  const asOf = await asOfInstant(context, as_of)
  const [from, until] = [startOfDay(start_date, timeZone), endOfDay(end_date, timeZone)]
  return { corp_id, timeZone, asOf, from, until }
}

/** Refuses a reversed range, and a range of more days. */
export function boundedDays(most: number) {
  return ({ start_date, end_date }: DayRange): InputFault[] => {
    const faults = rangeIsNotReversed({ start_date, end_date })
    if (faults.length > 0 || start_date === undefined || end_date === undefined) return faults
    const { days } = Temporal.PlainDate.from(start_date).until(end_date)
    return days < most ? [] : [{ param: 'end_date', reason: `must be within ${most} days of start_date` }]
  }
}
