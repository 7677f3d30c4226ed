import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'

export type OrderStatus = RowOf<'searchOrders'>['status']

const meanings: Record<OrderStatus, Meaning> = {
  tbd: 'action',
  unconfirmed: 'action',
  created: 'action',
  pending: 'soon',
  success: 'received',
  locked: 'refused',
  canceled: 'ended',
  expired: 'ended',
}

export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  const { t } = useTranslation()
  return <StateBadge meaning={meanings[status]} label={t(`orderStatus.${status}`)} />
}
