import type { OrganizationContext } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, ShortText } from '../../contract/fields.ts'
import { type LedgerInstant, latestInstant } from '../../orders/ledger/ledger-clock-store.ts'
import { isDay, readInstantOrDay } from './read-instant.ts'

export const AsOf = described(
  ShortText,
  'An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now',
)

/** The instant of a report. It is never in the future, so that the report can be repeated. */
export async function asOfInstant(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  wanted: string | undefined,
): Promise<LedgerInstant> {
  const latest = await latestInstant(db, organization.corp_id)
  if (wanted === undefined) return latest
  const instant = instantOf(wanted, organization.time_zone)
  if (Temporal.Instant.compare(instant, latest) <= 0) return instant
  // For the current day, the report ends now.
  if (isDay(wanted) && wanted <= dayOf(latest, organization.time_zone)) return latest
  throw invalid('as_of', 'must not be in the future')
}

function instantOf(text: string, timeZone: string): LedgerInstant {
  try {
    return readInstantOrDay(text, timeZone)
  } catch {
    throw invalid('as_of', 'must be an instant such as 2026-03-31T23:59:59Z, or a day such as 2026-03-31')
  }
}

function dayOf(instant: LedgerInstant, timeZone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}
