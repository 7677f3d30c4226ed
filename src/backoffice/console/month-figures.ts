import { endOfDay, startOfDay } from '../../contract/days.ts'
import { BigInteger, DayText, described, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import type { Static } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { orderFacet } from '../../orders/listing/order-facets.ts'
import { leadFacet } from '../../people/leads/lead-facets.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { everyRecord, type List } from '../../search/facet-store.ts'
import { readReceipts } from '../reports/receipts-store.ts'
import { idOfPage } from './today-store.ts'

export const MonthFigure = namedObject('MonthFigure', {
  figure: oneOf(['leads', 'orders', 'received', 'refunded']),
  currency: described(NullableString, 'Of an amount; null for a count'),
  value: described(BigInteger, 'From the first day of the month to today'),
  before: described(BigInteger, 'From the first day of the last month to the same day'),
  from: described(DayText, 'The first day of the month'),
  until: described(DayText, 'Today'),
})
export type MonthFigure = Static<typeof MonthFigure>

interface Asked {
  corp_id: string
  timeZone: string
  now: Date
  /** Only the work of this owner. */
  owner_id?: string | undefined
  /** Whether the caller may see receipts. */
  seesMoney: boolean
}

interface Days {
  from: string
  until: string
}

/** The month to date, and the last month to the same day. */
export function monthToDate(now: Date, timeZone: string): { month: Days; last: Days } {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate()
  const first = today.with({ day: 1 })
  const firstOfLast = first.subtract({ months: 1 })
  // A shorter last month ends with its last day.
  const sameDay = firstOfLast.with({ day: Math.min(today.day, firstOfLast.daysInMonth) })
  return {
    month: { from: first.toString(), until: today.toString() },
    last: { from: firstOfLast.toString(), until: sameDay.toString() },
  }
}

/** Receipts of this month, and of the last month to the same day. */
export async function readMonthFigures(db: Queryable, asked: Asked): Promise<MonthFigure[]> {
  const { month, last } = monthToDate(asked.now, asked.timeZone)
  const { owner_id } = asked
  const count = (list: List, facet: string) => (days: Days) => countIn(db, asked, list, facet, days)
  const both = async <Value>(read: (days: Days) => Promise<Value>) =>
    [await read(month), await read(last)] as const
  const leads = await both(count('leads', owner_id === undefined ? everyRecord : leadFacet.owner(owner_id)))
  const orders = await both(
    count('orders', owner_id === undefined ? everyRecord : orderFacet.owner(owner_id)),
  )
  const money = asked.seesMoney ? await both((days) => sumsIn(db, asked, days)) : undefined
  const counted = (figure: 'leads' | 'orders', [value, before]: readonly [number, number]): MonthFigure => ({
    ...{ figure, currency: null, value, before, ...month },
  })
  return [counted('leads', leads), counted('orders', orders), ...moneyFigures(money, month)]
}

/** The number of records of a list with a facet, from stored counts of days and the entries of the first and last day. */
async function countIn(
  db: Queryable,
  { corp_id, timeZone }: Asked,
  list: List,
  facet: string,
  days: Days,
): Promise<number> {
  const range = { from: startOfDay(days.from, timeZone), until: endOfDay(days.until, timeZone) }
  const query = { corp_id, list, facets: [facet], ranges: [], ...range, page: 0, page_size: 1 }
  const { total } = await readFacetPage<{ id: string }>(db, query, undefined, idOfPage)
  return total
}

type Sums = Map<string, { received: number; refunded: number }>

async function sumsIn(db: Queryable, { corp_id, timeZone, now }: Asked, days: Days): Promise<Sums> {
  const range = { from: startOfDay(days.from, timeZone), until: endOfDay(days.until, timeZone) }
  const asOf = now.toTemporalInstant().toString({ smallestUnit: 'microsecond' })
  const sums: Sums = new Map()
  for (const { currency, received, refunded } of await readReceipts(db, {
    corp_id,
    timeZone,
    asOf,
    ...range,
  })) {
    const sum = sums.get(currency) ?? { received: 0, refunded: 0 }
    sums.set(currency, { received: sum.received + received, refunded: sum.refunded + refunded })
  }
  return sums
}

/** Currencies that are shown: those with the largest sums. */
const mostCurrencies = 3

function moneyFigures(money: readonly [Sums, Sums] | undefined, month: Days): MonthFigure[] {
  if (!money) return []
  const [these, those] = money
  const sizeOf = (currency: string) =>
    (these.get(currency)?.received ?? 0) + (those.get(currency)?.received ?? 0)
  const currencies = [...new Set([...these.keys(), ...those.keys()])].sort((a, b) => sizeOf(b) - sizeOf(a))
  return currencies.slice(0, mostCurrencies).flatMap((currency) =>
    (['received', 'refunded'] as const).flatMap((figure): MonthFigure[] => {
      const [value, before] = [these.get(currency)?.[figure] ?? 0, those.get(currency)?.[figure] ?? 0]
      return value + before > 0 ? [{ figure, currency, value, before, ...month }] : []
    }),
  )
}
