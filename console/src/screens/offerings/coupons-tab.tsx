import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Day } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ActiveBadge } from './active-badge.tsx'
import { activeFilter, isActiveOf } from './active-filter.ts'
import { CouponDialog } from './coupon-dialog.tsx'

export type Coupon = RowOf<'listCoupons'>

export function CouponsTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const [edited, setEdited] = useState<Coupon | 'new'>()
  const { data, error } = useCall(
    'listCoupons',
    { page: address.page, page_size: pageSize, ...isActiveOf(address.search) },
    { keepsPrevious: true },
  )
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
      {
        id: 'state',
        title: t('offerings.state'),
        cell: ({ is_active }) => <ActiveBadge isActive={is_active} />,
      },
    ],
    [t],
  )
  const add = can('finance') && (
    <AddButton label={t('offerings.addCoupon')} onClick={() => setEdited('new')} />
  )
  return (
    <>
      <DataTable
        name="coupons"
        label={t('offerings.coupons')}
        columns={columns}
        rowId={({ coupon_id }) => coupon_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        toolbar={<FilterBar address={address} filters={[activeFilter(t)]} />}
        actions={add}
        onOpen={can('finance') ? setEdited : undefined}
        empty={
          <EmptyState text={t('offerings.noCoupons')} icon="tag">
            {add}
          </EmptyState>
        }
      />
      {edited && (
        <CouponDialog coupon={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}
