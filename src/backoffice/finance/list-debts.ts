import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  NullableInteger,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
  Timestamp,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { pageParameters, windowOf } from '../../contract/paging.ts'
import { shareOut } from '../../contract/rounding.ts'
import { Type } from '../../contract/type.ts'
import { Currency } from '../../orders/ledger/fields.ts'
import { examplePage, figureRowsOf } from '../figure-rows.ts'
import { type OwedRow, readOwedRows, spans } from './ageing-store.ts'
import { AsOf, asOfInstant } from './as-of.ts'
import { splitByOwners } from './owner-shares.ts'

const mostDebts = 50_000

const DebtRow = namedObject('DebtRow', {
  order_id: Id,
  sub_order_id: Id,
  user_id: Id,
  course_code: Type.String(),
  currency: Type.String(),
  span: oneOf(spans),
  days: described(NullableInteger, 'Days overdue; null if it is not due'),
  payment_deadline: Timestamp,
  unpaid_price: Money,
  price: described(
    Money,
    'The part that counts for the figure: the share of the owner, if the query names one',
  ),
})

/** The debts behind a figure of finance/ageing. */
export const listDebts = endpoint({
  id: 'listDebts',
  method: 'GET',
  path: '/api/v5/entity/finance/ageing/rows',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the debts of a figure of the ageing',
  description:
    'Takes the query of finance/ageing, for one currency and optionally a course, an owner and an age. `value` is the sum ' +
    `over all pages. At most ${mostDebts} debts.`,
  input: Type.Object({
    corp_id: OrganizationId,
    as_of: Type.Optional(AsOf),
    currency: Currency,
    course_code: optionalLine(longest.id, 'Debts of this course only'),
    owner: optionalLine(longest.longText, 'Debts of this owner only, named as in the ageing'),
    unnamed: Type.Optional(
      oneOf(['course', 'owner', 'both'], 'Only orders without a course, without an owner, or without both'),
    ),
    span: Type.Optional(oneOf(spans)),
    ...pageParameters,
  }),
  data: figureRowsOf(DebtRow),
  example: {
    input: { corp_id: 'lakeside', currency: 'CNY', span: 'days_0_30' },
    data: {
      as_of: '2026-11-01T23:59:59.999999Z',
      value: 300_000,
      ...examplePage,
      list: [
        {
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          sub_order_id: '01a00491d408759aa7e124d4a9581a85',
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          course_code: 'EMBA-2027',
          currency: 'CNY',
          span: 'days_0_30',
          days: 12,
          payment_deadline: '2026-10-20 23:59:59',
          unpaid_price: 300_000,
          price: 300_000,
        },
      ],
    },
  },

  async handle(context, { corp_id, currency, span, unnamed, ...input }) {
    const { page, page_size, offset } = windowOf(input)
    const { time_zone } = context.organization
    const course_code = unnamed === 'course' || unnamed === 'both' ? '' : input.course_code
    const owner = unnamed === 'owner' || unnamed === 'both' ? '' : input.owner
    const as_of = await asOfInstant(context, input.as_of)
    const query = { corp_id, currency, course_code, span, owner }
    const rows = await readOwedRows(context.db, query, as_of, time_zone, mostDebts + 1)
    if (rows.length > mostDebts)
      throw invalid('currency', `has more than ${mostDebts} debts. Name a course, an owner or an age`)
    const counted =
      owner === undefined ? rows.map((row) => ({ ...row, part: row.price })) : partsOf(owner, rows)
    const list = counted
      .slice(offset, offset + page_size)
      .map(({ part, price, share_proportion: _, managers: __, ...row }) => ({
        ...row,
        unpaid_price: price,
        price: part,
      }))
    const value = counted.reduce((sum, { part }) => sum + part, 0)
    return { as_of, value, total: counted.length, page, page_size, list }
  },
})

/**
 * The share of one owner in each debt. Ageing splits the sum of the debts with the same owners and shares. This function
 * distributes the owner's part of that sum over the debts, so that they add up to the figure of the ageing.
 */
function partsOf(owner: string, rows: OwedRow[]): (OwedRow & { part: number })[] {
  const parts = new Map<OwedRow, number>()
  const groups = Map.groupBy(rows, ({ course_code, share_proportion, managers, span }) =>
    JSON.stringify([course_code, share_proportion, managers, span]),
  )
  for (const group of groups.values()) {
    const prices = group.map(({ price }) => price)
    const sum = prices.reduce((all, price) => all + price, 0)
    const split = splitByOwners(sum, group[0]!.share_proportion)
    const shares = shareOut(split ? (split.get(owner) ?? 0) : sum, prices)
    for (const [place, row] of group.entries()) parts.set(row, shares[place] ?? 0)
  }
  return rows.map((row) => ({ ...row, part: parts.get(row) ?? 0 }))
}
