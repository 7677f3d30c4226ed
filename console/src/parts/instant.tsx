import { Text } from '@mantine/core'
import { useSession } from '../app/session.tsx'
import { locales, useLanguage } from '../languages/language.ts'
import { dayOf, instantOf } from './zoned-time.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A time in the school's zone: relative within a day, full on hover. */
export function Instant({ at }: { at: string | null }) {
  const locale = locales[useLanguage()]
  const { time_zone } = useSession().organization
  const instant = at === null ? undefined : instantOf(at, time_zone)
  if (!instant) return null
  const full = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: time_zone,
  }).format(instant)
  return (
    <Text span inherit style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={instant.toISOString()} title={full}>
        {shortTime(instant, new Date(), locale, time_zone)}
      </time>
    </Text>
  )
}

/** A calendar day: `YYYY-MM-DD`, or the day of a time in the school's zone. */
export function Day({ at }: { at: string | null }) {
  const locale = locales[useLanguage()]
  const { time_zone } = useSession().organization
  if (!at) return null
  const isPlain = /^\d{4}-\d{2}-\d{2}/.test(at) && !at.includes('T')
  const day = isPlain ? at.slice(0, 10) : dayOf(new Date(at), time_zone)
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

function shortTime(instant: Date, now: Date, locale: string, timeZone: string): string {
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
