import { endOfDay, startOfDay } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { OrganizationId, oneOfOr } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { AsOf, asOfInstant } from '../finance/as-of.ts'
import { boundedDays } from './bounded-days.ts'
import { type Cohort, groupings } from './funnel-store.ts'

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
export type FunnelQuestion = Static<typeof Question>

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
