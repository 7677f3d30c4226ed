import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  IsoInstant,
  Money,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { rangeIsNotReversed, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { Currency } from '../../orders/ledger/fields.ts'
import { isOrder } from '../../orders/ledger/order-state-store.ts'
import { filterOf, OrderListInput } from '../../orders/listing/order-filter.ts'
import { examplePage, figureRowsOf } from '../figure-rows.ts'
import { AsOf, asOfInstant } from './as-of.ts'
import type { ClosingDocument } from './closing.ts'
import { findClosing } from './closing-store.ts'
import { type ClosingCurrency, closingFigures, closingLines } from './explain-closing-store.ts'
import { figureLines, figures, hasHadSubOrder, orderFigures, readLines, type Whose } from './explain-store.ts'

const { status, start_date, end_date, time_range_type, page, page_size } = OrderListInput.properties

const Input = Type.Object({
  corp_id: OrganizationId,
  figure: oneOf(
    [...figures, ...closingFigures],
    'The name of the figure in lists, control sheets and closings',
  ),
  order_id: Type.Optional(
    described(Id, 'Figure of this order; omitted: sum over all sub-orders in a currency'),
  ),
  sub_order_id: Type.Optional(described(Id, 'Figure of this sub-order of the order')),
  currency: Type.Optional(
    described(
      Currency,
      'Currency of a sum over all orders, or of receipt for accounts.*; default: the currency of the organization',
    ),
  ),
  until: Type.Optional({
    ...Type.String({ format: 'date' }),
    description: 'For a figure of a closing: the last day of its period',
  }),
  account: optionalLine(longest.id, 'For accounts.*: only this account; default: all'),
  order_currency: Type.Optional(described(Currency, 'For accounts.*: only orders in this currency')),
  as_of: Type.Optional(AsOf),
  status,
  start_date,
  end_date,
  time_range_type,
  page,
  page_size,
})

export type FigureQuery = Static<typeof Input>

const FigureLine = namedObject('FigureLine', {
  kind: Type.String({ description: 'payment, refund, write_off, planned, coupon, …' }),
  id: Type.String({ description: 'Id of the payment, refund, coupon or sub-order' }),
  order_id: Type.String(),
  sub_order_id: Type.String(),
  at: described(IsoInstant, 'When it entered the ledger'),
  price: described(Money, 'Minor units; negative if it reduces the figure'),
  currency: Type.String(),
  note: Type.String(),
})

const Explanation = Type.Object({ figure: Type.String(), ...figureRowsOf(FigureLine).properties })

export type Explanation = Static<typeof Explanation>

/** Explains a figure by the facts that sum to it, as of an instant. */
export const explainFigure = endpoint({
  id: 'explainFigure',
  method: 'GET',
  path: '/api/v5/entity/finance/explain',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Explain a figure by the facts that sum to it',
  description:
    'The figure belongs to an order, to a sub-order (a financial row), or to all sub-orders in a currency, as on control ' +
    'sheets. For such a sum, status, start_date, end_date and time_range_type select rows as in the financial list. With ' +
    '`until`, the figure belongs to a closing in a currency. Figures that start with accounts are in the currency of receipt.',
  input: Input,
  rules: (input, isSent): InputFault[] => [...rangeIsNotReversed(input), ...oneQuestion(input, isSent)],
  data: Explanation,
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      figure: 'paid_price',
      as_of: '2026-11-01',
    },
    data: {
      figure: 'paid_price',
      as_of: '2026-11-01T23:59:59.999999Z',
      value: 1_280_000,
      ...examplePage,
      list: [
        {
          kind: 'payment',
          id: '01a0121322587365aa30fc31c91b3d5f',
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          sub_order_id: '01a00491d408759aa7e124d4a9581a85',
          at: '2026-10-14T09:30:00.000000Z',
          price: 1_280_000,
          currency: 'CNY',
          note: '',
        },
      ],
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound'],
  handle: explanationOf,
})

export async function explanationOf(context: Reader, input: FigureQuery): Promise<Explanation> {
  const { page, page_size, ...window } = windowOf(input)
  const { as_of, lines } = await linesFor(context, input)
  const { total, value, lines: list } = await readLines(context.db, lines, window)
  return { figure: input.figure, as_of, value, total, page, page_size, list }
}

type Reader = Pick<OrganizationContext, 'db' | 'organization'>

async function linesFor(
  context: Reader,
  { figure, as_of: wanted, until, account, order_currency, ...input }: FigureQuery,
): Promise<{ as_of: string; lines: ReturnType<typeof figureLines> }> {
  const { db, organization } = context
  if (until !== undefined) {
    const { currency = organization.currency } = input
    return closingLinesFor(context, figure, until, { currency, account, order_currency })
  }
  await refuseMissing(db, input)
  const as_of = await asOfInstant(context, wanted)
  return { as_of, lines: figureLines(figure, whoseOf(input, organization), as_of) }
}

async function closingLinesFor(
  { db, organization }: Reader,
  figure: string,
  until: string,
  of: Omit<ClosingCurrency, 'corp_id'>,
) {
  const { corp_id } = organization
  const closing = await findClosing(db, corp_id, until)
  if (!closing) throw invalid('until', 'must be the last day of a closing')
  const { as_of, after } = JSON.parse(closing.document) as ClosingDocument
  const before = after === null ? undefined : await findClosing(db, corp_id, after)
  return { as_of, lines: closingLines(figure, { corp_id, ...of }, { after: before?.as_of, asOf: as_of }) }
}

async function refuseMissing(
  db: Queryable,
  { corp_id, order_id, sub_order_id }: Pick<FigureQuery, 'corp_id' | 'order_id' | 'sub_order_id'>,
): Promise<void> {
  if (order_id === undefined) return
  if (!(await isOrder(db, corp_id, order_id))) throw new ApiError('orderNotFound')
  if (sub_order_id !== undefined && !(await hasHadSubOrder(db, { corp_id, order_id, sub_order_id })))
    throw new ApiError('subOrderNotFound')
}

function whoseOf(
  { order_id, sub_order_id, currency, ...selection }: Omit<FigureQuery, 'figure' | 'as_of' | 'until'>,
  organization: OrganizationContext['organization'],
): Whose {
  const { corp_id } = organization
  if (order_id !== undefined) return { corp_id, order_id, sub_order_id, currency }
  return {
    corp_id,
    currency: currency ?? organization.currency,
    filter: filterOf({ ...selection, corp_id }, organization),
  }
}

function oneQuestion(input: Partial<FigureQuery>, isSent: (name: string) => boolean): InputFault[] {
  const faults: InputFault[] = []
  if (isSent('sub_order_id') && !isSent('order_id'))
    faults.push({ param: 'order_id', reason: 'is required with sub_order_id' })
  const isWholeOrder = isSent('order_id') && !isSent('sub_order_id')
  if (!isWholeOrder && orderFigures.includes(input.figure ?? ''))
    faults.push({ param: 'order_id', reason: 'is required: only orders have this figure' })
  return faults
}
