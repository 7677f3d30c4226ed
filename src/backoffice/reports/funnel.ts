import { endOfDay, startOfDay } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { IsoInstant, namedObject, OrganizationId, oneOf, oneOfOr } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { AsOf, asOfInstant } from '../finance/as-of.ts'
import { type Cohort, type FunnelGroup, groupings, readFunnel, type Stage, stages } from './funnel-store.ts'
import { boundedDays } from './receipts.ts'

const CalendarDate = Type.String({ format: 'date' })

/** Parameters that select the leads and the instant. */
export const funnelQuestion = {
  corp_id: OrganizationId,
  start_date: { ...CalendarDate, description: 'First day on which leads arrived' },
  end_date: { ...CalendarDate, description: 'Last day, inclusive; at most 366 days in total' },
  by: oneOfOr('month', groupings, 'Groups leads by arrival time or by a field of the lead'),
  as_of: Type.Optional(AsOf),
}

const Question = Type.Object(funnelQuestion)
type FunnelQuestion = Static<typeof Question>

export const rangeIsBounded = boundedDays(366)

/** The leads of the given days, and those of the same days one year earlier, as of one year earlier. */
export async function cohortsOf(
  context: OrganizationContext,
  { start_date, end_date, as_of }: FunnelQuestion,
): Promise<{ asOf: string; now: Cohort; lastYear: Cohort }> {
  const { corp_id, time_zone: timeZone } = context.organization
  const asOf = await asOfInstant(context, as_of)
  const cohort = (yearsAgo: 0 | 1): Cohort => ({
    ...{ corp_id, timeZone, yearsAgo },
    from: startOfDay(yearsBefore(start_date, yearsAgo), timeZone),
    until: endOfDay(yearsBefore(end_date, yearsAgo), timeZone),
    asOf: instantBefore(asOf, yearsAgo, timeZone),
  })
  return { asOf, now: cohort(0), lastYear: cohort(1) }
}

function yearsBefore(day: string, years: number): string {
  return Temporal.PlainDate.from(day).subtract({ years }).toString()
}

function instantBefore(instant: string, years: number, timeZone: string): string {
  const then = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).subtract({ years })
  return then.toInstant().toString({ smallestUnit: 'microsecond' })
}

const FunnelCounts = namedObject('FunnelCounts', {
  leads: Type.Integer({ description: 'Leads that arrived' }),
  contacted: Type.Integer({ description: 'Leads whose person was followed up' }),
  ordered: Type.Integer({ description: 'Leads with an order' }),
  paid: Type.Integer({ description: 'Leads with an order that has a payment which is not void' }),
  enrolled: Type.Integer({ description: 'Leads with an order in status success' }),
})
const FunnelRow = namedObject('FunnelRow', {
  key: Type.String({
    description: 'The first day, the month, or what the leads carry; "" where they carry nothing',
  }),
  counts: FunnelCounts,
  last_year: FunnelCounts,
})

/** The funnel from lead to enrolment. */
export const readFunnelNumbers = endpoint({
  id: 'readFunnelNumbers',
  method: 'GET',
  path: '/api/v5/entity/numbers/funnel',
  group: 'Numbers',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Count leads by stage',
  description:
    'A follow-up or order counts for the last lead before it; an order that names a lead counts for that lead. Nothing is ' +
    'counted twice. A lead with several owners is in the row of each, and once in the total. last_year has the same days ' +
    'one year earlier, as of one year before as_of. numbers/funnel/rows lists the leads of every figure.',
  input: Type.Object(funnelQuestion),
  rules: rangeIsBounded,
  data: Type.Object({
    as_of: IsoInstant,
    by: oneOf(groupings),
    total: FunnelCounts,
    total_last_year: FunnelCounts,
    list: Type.Array(FunnelRow),
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      by: 'channel',
    },
    data: {
      as_of: '2026-11-15T09:30:00.000000Z',
      by: 'channel',
      total: { leads: 120, contacted: 96, ordered: 31, paid: 24, enrolled: 18 },
      total_last_year: { leads: 90, contacted: 70, ordered: 20, paid: 15, enrolled: 11 },
      list: [
        {
          key: 'open-day',
          counts: { leads: 120, contacted: 96, ordered: 31, paid: 24, enrolled: 18 },
          last_year: { leads: 90, contacted: 70, ordered: 20, paid: 15, enrolled: 11 },
        },
      ],
    },
  },

  async handle(context, { by = 'month', ...input }) {
    const { asOf, now, lastYear } = await cohortsOf(context, { ...input, by })
    const [these, those] = [await readFunnel(context.db, now, by), await readFunnel(context.db, lastYear, by)]
    const before = new Map(those.groups.map((group) => [group.key, group]))
    const after = new Map(these.groups.map((group) => [group.key, group]))
    const list = [...new Set([...after.keys(), ...before.keys()])].sort().map((key) => ({
      ...{ key, counts: countsOf(after.get(key)), last_year: countsOf(before.get(key)) },
    }))
    return { as_of: asOf, by, total: countsOf(these.total), total_last_year: countsOf(those.total), list }
  },
})

function countsOf(group: FunnelGroup | undefined): Static<typeof FunnelCounts> {
  return Object.fromEntries(stages.map((stage) => [stage, group?.[stage] ?? 0])) as Record<Stage, number>
}
