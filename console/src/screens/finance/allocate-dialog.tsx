import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import type { Language } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'
import { Money } from '../../parts/money.tsx'
import { OrderPicker } from '../orders/order-picker.tsx'
import { RehearsedDialog } from '../orders/rehearsed-dialog.tsx'

/** Puts money on an order that no order has taken so far. */
export function AllocateDialog({ payment, onClose }: { payment: RowOf<'listPayments'>; onClose(): void }) {
  const { t, i18n } = useTranslation()
  const [order, setOrder] = useState<string | undefined>(payment.order_id || undefined)
  const input = order === undefined ? undefined : { payment_id: payment.payment_id, order_id: order }
  return (
    <RehearsedDialog
      operation="applyPayment"
      title={t('orders.apply')}
      confirmLabel={t('orders.apply')}
      input={input}
      said={({ price }) =>
        t('orders.applyDone', {
          amount: formatMoney(price, payment.order_currency, i18n.language as Language),
        })
      }
      onClose={onClose}
    >
      <Text size="sm">
        <Money amount={payment.unapplied_price} currency={payment.order_currency} />{' '}
        {payment.unapplied_reason}
      </Text>
      <OrderPicker label={t('fields.order')} value={order} onChange={setOrder} />
    </RehearsedDialog>
  )
}
