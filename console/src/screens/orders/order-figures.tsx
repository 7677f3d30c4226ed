import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { Day, Money } from '../../parts/instant.tsx'
import classes from './order-figures.module.css'

/** The amounts of an order at a glance; each leads to the rows that explain it. */
export function OrderFigures({ order }: { order: DataOf<'fetchOrder'> }) {
  const { t } = useTranslation()
  const { currency, total_price, listed_price, post_refund_price, unpaid_price, sub_orders } = order
  const next = sub_orders.find(({ unpaid_price: unpaid }) => unpaid > 0)
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  return (
    <nav className={classes.figures} aria-label={t('record.figures')}>
      <a href="#price">
        <span>{t('orders.price')}</span>
        <strong>{money(total_price)}</strong>
        {listed_price !== total_price && (
          <small>
            {t('fields.listPrice')} {money(listed_price)}
          </small>
        )}
      </a>
      <a href="#money" data-meaning={post_refund_price > 0 ? 'received' : undefined}>
        <span>{t('finance.held')}</span>
        <strong>{money(post_refund_price)}</strong>
        <small>{t('record.heldHint')}</small>
      </a>
      <a href="#instalments">
        <span>{t('orders.owed')}</span>
        <strong>{money(unpaid_price)}</strong>
      </a>
      <a href="#instalments">
        <span>{t('record.next')}</span>
        <strong>{next?.payment_deadline ? <Day at={next.payment_deadline} /> : t('record.noDue')}</strong>
        {next && (
          <small>
            {t('orders.instalment', { number: next.seq })} · {money(next.unpaid_price)}
          </small>
        )}
      </a>
    </nav>
  )
}
