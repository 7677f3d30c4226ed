import { type Static, Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { IsoInstant, Money, namedObject, OrganizationId } from '../../contract/fields.ts'
import { pageParameters, windowOf } from '../../contract/paging.ts'
import { shareOut } from '../../contract/rounding.ts'
import { type OwedGroup, readOwedGroups, type Span, spans } from './ageing-store.ts'
import { AsOf, asOfInstant } from './as-of.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  as_of: Type.Optional(AsOf),
  ...pageParameters,
})

const debts = {
  orders: Type.Integer({ description: 'Orders with an unpaid amount' }),
  outstanding: Money,
  not_due: Type.Integer({ description: 'With a future deadline, or none' }),
  days_0_30: Type.Integer({ description: 'Overdue for at most 30 days' }),
  days_31_60: Money,
  days_61_90: Money,
  days_over_90: Money,
}
const AgeingRow = namedObject('AgeingRow', {
  course_code: Type.String(),
  owner: Type.String(),
  currency: Type.String(),
  ...debts,
})
const AgeingTotal = namedObject('AgeingTotal', { currency: Type.String(), ...debts })

type AgeingRow = Static<typeof AgeingRow>
type AgeingTotal = Static<typeof AgeingTotal>

/** Outstanding amounts by age. */
export const ageDebts = endpoint({
  id: 'ageDebts',
  method: 'GET',
  path: '/api/v5/entity/finance/ageing',
  group: 'Finance',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List outstanding amounts by age, course, owner and currency',
  description:
    'As of any instant. Days are counted on the calendar of the organization. Debts of several owners are split by their ' +
    'shares, to the minor unit. Without shares, the owners copied to the order form one name. `totals` cover all pages and ' +
    'equal the sum of unpaid_price in the lists.',
  input: Input,
  data: Type.Object({
    as_of: IsoInstant,
    totals: Type.Array(AgeingTotal),
    total: Type.Integer(),
    page: Type.Integer(),
    page_size: Type.Integer(),
    list: Type.Array(AgeingRow),
  }),
  example: {
    input: { corp_id: '0198c0de00007c41a2f0d8e6b4937215', as_of: '2026-11-01' },
    data: {
      as_of: '2026-11-01T23:59:59.999999Z',
      totals: [{ currency: 'CNY', orders: 2, ...exampleDebts(900_000, 300_000) }],
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          course_code: 'EMBA-2027',
          owner: 'anna',
          currency: 'CNY',
          orders: 2,
          ...exampleDebts(900_000, 300_000),
        },
      ],
    },
  },

  async handle(context, { as_of, ...asked }) {
    const { page, page_size, offset } = windowOf(asked)
    const ageing = await ageingAsOf(context, as_of)
    const list = ageing.list.slice(offset, offset + page_size)
    return { as_of: ageing.as_of, totals: ageing.totals, total: ageing.list.length, page, page_size, list }
  },
})

export interface Ageing {
  as_of: string
  totals: AgeingTotal[]
  list: AgeingRow[]
}

export async function ageingAsOf(
  context: Pick<OrganizationContext, 'db' | 'organization'>,
  wanted: string | undefined,
): Promise<Ageing> {
  const { corp_id, time_zone } = context.organization
  const as_of = await asOfInstant(context, wanted)
  const groups = await readOwedGroups(context.db, corp_id, as_of, time_zone)
  const totals = summed(groups, ({ currency }) => [currency]).map(([[currency], sums]) => ({
    currency: currency!,
    ...sums,
  }))
  const shares = groups.flatMap(sharesOf)
  const list = summed(shares, ({ course_code, owner, currency }) => [course_code, owner, currency]).map(
    ([[course_code, owner, currency], sums]) => ({
      course_code: course_code!,
      owner: owner!,
      currency: currency!,
      ...sums,
    }),
  )
  return { as_of, totals, list }
}

type Debts = Record<Span, number> & { orders: number }

/** Splits a group among its owners without a remainder. */
function sharesOf(group: OwedGroup): (Debts & { course_code: string; owner: string; currency: string })[] {
  const { course_code, currency, orders } = group
  const owners = Object.entries(group.share_proportion).filter(([, points]) => points > 0)
  if (owners.length === 0) return [{ ...group, owner: group.managers }]
  const weights = owners.map(([, points]) => points)
  const bySpan = spans.map((span) => [span, shareOut(group[span], weights)] as const)
  return owners.map(([owner], index) => {
    const debts = Object.fromEntries(bySpan.map(([span, parts]) => [span, parts[index]!]))
    return { course_code, owner, currency, orders, ...(debts as Record<Span, number>) }
  })
}

/** Sums by a key, in the order of the keys. */
function summed<One extends Debts>(
  all: One[],
  keyOf: (one: One) => string[],
): [key: string[], sums: Omit<AgeingTotal, 'currency'>][] {
  const groups = Map.groupBy(all, (one) => JSON.stringify(keyOf(one)))
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const sum = (name: keyof Debts) => group.reduce((total, one) => total + one[name], 0)
      const ages = Object.fromEntries(spans.map((span) => [span, sum(span)])) as Record<Span, number>
      const outstanding = spans.reduce((total, span) => total + ages[span], 0)
      return [keyOf(group[0]!), { orders: sum('orders'), outstanding, ...ages }]
    })
}

function exampleDebts(not_due: number, days_0_30: number) {
  const outstanding = not_due + days_0_30
  return { outstanding, not_due, days_0_30, days_31_60: 0, days_61_90: 0, days_over_90: 0 }
}
