import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { useNeighbours } from '../../parts/recent-list.ts'
import { RecordDrawer } from '../../parts/record-drawer.tsx'
import { RecordSkeleton } from '../people/person-page.tsx'
import { OrderRecord, useOrder } from './order-record.tsx'

/** An order beside the list, for a glance. */
export function OrderDrawer({ id, onOpen }: { id: string; onOpen(id: string | undefined): void }) {
  const { t } = useTranslation()
  const { order, explanation, error } = useOrder(id)
  const { previous, next } = useNeighbours('orders', id, onOpen)
  return (
    <RecordDrawer
      screen="orders"
      id={id}
      name={t('orders.orderNumber', { id: id.slice(-8) })}
      size="46rem"
      onClose={() => onOpen(undefined)}
      onNext={next}
      onPrevious={previous}
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : order && explanation ? (
        <OrderRecord key={id} order={order} explanation={explanation} isPage={false} />
      ) : (
        <RecordSkeleton />
      )}
    </RecordDrawer>
  )
}
