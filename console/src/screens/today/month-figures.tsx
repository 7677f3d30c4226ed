import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import type { DataOf } from '../../calls/call.ts'
import { locales, useLanguage } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'
import classes from './month-figures.module.css'

type Figure = DataOf<'fetchToday'>['figures'][number]

/** The month to date with its change against the last month; each figure opens its rows. */
export function MonthFigures({ figures }: { figures: Figure[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { staff, organization } = useSession()
  const own = organization.role === 'counsellor' ? { owner_id: staff.staff_id } : {}
  const number = new Intl.NumberFormat(locales[language])
  const percent = new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 0 })
  return (
    <nav className={classes.figures} aria-label={t('today.figures')}>
      {figures.map((each) => {
        const { figure, currency, value, before } = each
        const text = (amount: number) =>
          currency === null ? number.format(amount) : formatMoney(amount, currency, language)
        const change = before === 0 ? undefined : (value - before) / before
        const words = { change: percent.format(Math.abs(change ?? 0)) }
        const said =
          change === undefined ? 'none' : value === before ? 'same' : value > before ? 'more' : 'less'
        const isGood = figure === 'refunded' ? undefined : value > before
        return (
          <Link
            key={`${figure} ${currency}`}
            {...rowsOf(each, own)}
            title={t('today.since', { before: text(before) })}
          >
            <span>{t(`today.${figure}`)}</span>
            <strong>{text(value)}</strong>
            <small data-good={change && isGood !== undefined ? isGood : undefined}>
              {t(`today.${said}`, words)}
            </small>
          </Link>
        )
      })}
    </nav>
  )
}

/** The list whose total is the figure. */
function rowsOf({ figure, from, until }: Figure, own: Search): { to: string; search: never } {
  const days = { start_date: from, end_date: until }
  if (figure === 'leads') return { to: '/leads', search: { ...days, ...own } as never }
  if (figure === 'orders') return { to: '/orders', search: { ...days, ...own } as never }
  return { to: '/reports', search: { tab: 'receipts', ...days } as never }
}
