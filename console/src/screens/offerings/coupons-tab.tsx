import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { Day } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'
import { CouponDialog } from './coupon-dialog.tsx'

export type Coupon = RowOf<'listCoupons'>

export function CouponsTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const query = useList('listCoupons', address, isActiveOf(address.search))
  const columns = useMemo<Column<Coupon>[]>(
    () => [
      { id: 'code', title: t('offerings.code'), cell: ({ coupon_id }) => coupon_id },
      { id: 'description', title: t('offerings.description'), cell: ({ description }) => description },
      {
        id: 'off',
        title: t('offerings.discount'),
        isNumber: true,
        cell: ({ amount, currency, basis_points }) =>
          amount === null ? `${(basis_points ?? 0) / 100} %` : <Money amount={amount} currency={currency} />,
      },
      { id: 'from', title: t('offerings.validFrom'), cell: ({ valid_from }) => <Day at={valid_from} /> },
      { id: 'until', title: t('offerings.validUntil'), cell: ({ valid_until }) => <Day at={valid_until} /> },
      activeColumn(t),
    ],
    [t],
  )
  return (
    <EditableList
      name="coupons"
      label={t('offerings.coupons')}
      columns={columns}
      rowId={({ coupon_id }) => coupon_id}
      query={query}
      address={address}
      filters={[activeFilter(t)]}
      add={t('offerings.addCoupon')}
      isEditable={can('finance')}
      empty={{ text: t('offerings.noCoupons'), icon: 'tag' }}
      dialog={(coupon, close) => <CouponDialog coupon={coupon} onClose={close} />}
    />
  )
}
