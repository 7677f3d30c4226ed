import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../app/session.tsx'
import { locales, useLanguage } from '../languages/language.ts'
import { formatMoney } from './format-money.ts'
import classes from './state-badge.module.css'
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

interface MoneyProps {
  /** In minor units of the currency. */
  amount: number
  currency: string
  isBold?: boolean
  /** Shows zero as a dash, as tables of figures do. */
  isZeroDash?: boolean
}

/** An amount with the decimals of its currency; negative amounts are red with a minus. */
export function Money({ amount, currency, isBold, isZeroDash }: MoneyProps) {
  const text = formatMoney(amount, currency, useLanguage())
  if (amount === 0 && isZeroDash) return <Zero title={text} />
  const color = amount < 0 ? 'red' : undefined
  return (
    <Text span inherit c={color} fw={isBold ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </Text>
  )
}

/** A zero in a table: less prominent than a figure. */
export function Zero({ title }: { title?: string }) {
  return (
    <Text span inherit c="dimmed" title={title}>
      –
    </Text>
  )
}

/** Opens an order, named by its student or by the end of its id; or the payer whose account the id names. */
export function OrderLink({ id, name }: { id: string; name?: string }) {
  const { t } = useTranslation()
  const [, payer] = /^(.+)-[A-Z]{3}$/.exec(id) ?? []
  if (payer !== undefined)
    return (
      <Link to="/finance" search={{ tab: 'payers', payer }}>
        {name || t('payers.payer')}
      </Link>
    )
  return (
    <Link to="/orders/$id" params={{ id }}>
      {name || id.slice(-8)}
    </Link>
  )
}

/** The meaning of each colour on all screens. */
export type Meaning = 'action' | 'received' | 'soon' | 'refused' | 'ended'

/** A status as a coloured word. */
export function StateBadge({ meaning, label }: { meaning: Meaning; label: string }) {
  return (
    <span className={classes.badge} data-meaning={meaning}>
      {label}
    </span>
  )
}

/** The payment methods with translations. Programs may send others. */
export const paymentMethods = ['transfer', 'card', 'cash', 'cheque', 'wechat', 'alipay'] as const

/** The name of a payment method; an unknown one is shown as received. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (method: string) => {
      const word = paymentMethods.find((each) => each === method)
      return word ? t(`paymentMethods.${word}`) : method
    },
    [t],
  )
}
