import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { described, IsoInstant, Money, namedObject, OrganizationId } from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { examplePage } from '../figure-rows.ts'
import { type OwedGroup, readOwedGroups, type Span, spans } from './ageing-store.ts'
import { AsOf, asOfInstant } from './as-of.ts'
import { splitByOwners } from './owner-shares.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  as_of: Type.Optional(AsOf),
  ...pageParameters,
})

const debts = {
  orders: Type.Integer({ description: 'Orders with an unpaid amount' }),
  outstanding: Money,
  not_due: described(Money, 'With a future deadline, or none'),
  days_0_30: described(Money, 'Overdue for at most 30 days'),
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
    ...pageOf(AgeingRow).properties,
  }),
  example: {
    input: { corp_id: 'lakeside', as_of: '2026-11-01' },
    data: {
      as_of: '2026-11-01T23:59:59.999999Z',
      totals: [{ currency: 'CNY', orders: 2, ...exampleDebts(900_000, 300_000) }],
      ...examplePage,
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
  const totals = sumBy(groups, ({ currency }) => ({ currency }))
  const list = sumBy(groups.flatMap(sharesOf), ({ course_code, owner, currency }) => ({
    course_code,
    owner,
    currency,
  }))
  return { as_of, totals, list }
}

type Debts = Record<Span, number> & { orders: number }

/** Splits a group among its owners without a remainder. */
function sharesOf(group: OwedGroup): (OwedGroup & { owner: string })[] {
  const shares = new Map<string, OwedGroup & { owner: string }>()
  for (const span of spans)
    for (const [owner, part] of splitByOwners(group[span], group.share_proportion) ?? [])
      shares.set(owner, { ...(shares.get(owner) ?? { ...group, owner }), [span]: part })
  return shares.size > 0 ? [...shares.values()] : [{ ...group, owner: group.managers }]
}

/** Sums by a key, in the order of the keys. */
function sumBy<One extends Debts, Key extends object>(all: One[], keyOf: (one: One) => Key) {
  const groups = Map.groupBy(all, (one) => JSON.stringify(Object.values(keyOf(one))))
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const sum = (name: keyof Debts) => group.reduce((total, one) => total + one[name], 0)
      const ages = Object.fromEntries(spans.map((span) => [span, sum(span)])) as Record<Span, number>
      const outstanding = spans.reduce((total, span) => total + ages[span], 0)
      return { ...keyOf(group[0]!), orders: sum('orders'), outstanding, ...ages }
    })
}

function exampleDebts(not_due: number, days_0_30: number) {
  const outstanding = not_due + days_0_30
  return { outstanding, not_due, days_0_30, days_31_60: 0, days_61_90: 0, days_over_90: 0 }
}
