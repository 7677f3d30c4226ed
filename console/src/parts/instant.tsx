import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../app/session.tsx'
import { type Language, locales } from '../languages/language.ts'
import { dayOf, instantOf } from './zoned-time.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A moment in the zone of the organization: relative within a day, full on hover. `at` is as the service tells it. */
export function Instant({ at }: { at: string | null }) {
  const { i18n } = useTranslation()
  const { time_zone } = useSession().organization
  const instant = at === null ? undefined : instantOf(at, time_zone)
  if (!instant) return null
  const locale = locales[i18n.language as Language]
  const full = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: time_zone,
  }).format(instant)
  return (
    <Text span inherit style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={instant.toISOString()} title={full}>
        {shortly(instant, new Date(), locale, time_zone)}
      </time>
    </Text>
  )
}

/** A calendar day, `YYYY-MM-DD` or the day of a moment; no zone moves it. */
export function Day({ at }: { at: string | null }) {
  const { i18n } = useTranslation()
  const { time_zone } = useSession().organization
  if (!at) return null
  const isPlain = /^\d{4}-\d{2}-\d{2}/.test(at) && !at.includes('T')
  const day = isPlain ? at.slice(0, 10) : dayOf(new Date(at), time_zone)
  const locale = locales[i18n.language as Language]
  const noon = new Date(`${day}T12:00:00Z`)
  const format = (dateStyle: 'medium' | 'full') =>
    new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(noon)
  return (
    <Text span inherit style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={day} title={format('full')}>
        {format('medium')}
      </time>
    </Text>
  )
}

function shortly(instant: Date, now: Date, locale: string, timeZone: string): string {
  const ms = instant.getTime() - now.getTime()
  if (Math.abs(ms) >= dayMs) {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      instant,
    )
  }
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const minutes = Math.round(ms / 60_000)
  return Math.abs(minutes) < 60
    ? relative.format(minutes, 'minute')
    : relative.format(Math.round(minutes / 60), 'hour')
}
