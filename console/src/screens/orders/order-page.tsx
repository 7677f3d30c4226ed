import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { useNeighbours } from '../../parts/recent-list.ts'
import { RecordPage } from '../../parts/record-page.tsx'
import { RecordSkeleton } from '../people/person-page.tsx'
import { OrderRecord, useOrder } from './order-record.tsx'

/** The page of an order. */
export function OrderPage() {
  const { t } = useTranslation()
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { order, explanation, error } = useOrder(id)
  const neighbours = useNeighbours(
    'orders',
    id,
    (order_id) => void navigate({ to: '/orders/$id', params: { id: order_id }, replace: true }),
  )
  return (
    <RecordPage
      screen="orders"
      id={id}
      name={t('orders.orderNumber', { id: id.slice(-8) })}
      neighbours={neighbours}
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : order && explanation ? (
        <OrderRecord key={id} order={order} explanation={explanation} isPage />
      ) : (
        <RecordSkeleton />
      )}
    </RecordPage>
  )
}
