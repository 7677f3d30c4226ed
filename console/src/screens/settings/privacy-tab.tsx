import { Button, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Instant } from '../../parts/instant.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { LiftErasureDialog } from './lift-erasure-dialog.tsx'

type Erasure = RowOf<'listErasures'>

/** Who was erased, as far as that may be known, and the way back for who returns. */
export function PrivacyTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const [isLifting, setLifting] = useState(false)
  const { data, error } = useCall(
    'listErasures',
    { page: address.page, page_size: pageSize },
    { keepsPrevious: true, isFreshOnOpening: true },
  )
  const staff = useCall('listStaff', {}).data?.list
  const columns = useMemo<Column<Erasure>[]>(() => {
    const nameOf = (id: string) => staff?.find(({ staff_id }) => staff_id === id)?.name ?? id
    return [
      { id: 'time', title: t('privacy.erased'), cell: ({ time }) => <Instant at={time} /> },
      { id: 'reason', title: t('privacy.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('privacy.by'), cell: ({ executor_id }) => nameOf(executor_id) },
      { id: 'contacts', title: t('privacy.contacts'), isNumber: true, cell: ({ contacts }) => contacts },
      {
        id: 'state',
        title: t('settings.state'),
        cell: ({ lifted_time, is_complete }) =>
          lifted_time ? (
            <StateBadge meaning="ended" label={t('privacy.isLifted')} />
          ) : (
            <StateBadge
              meaning={is_complete ? 'received' : 'action'}
              label={t(is_complete ? 'privacy.active' : 'privacy.searching')}
            />
          ),
      },
      { id: 'id', title: t('activity.id'), isExtra: true, cell: ({ user_id }) => user_id },
    ]
  }, [t, staff])
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('privacy.hint')}
      </Text>
      <DataTable
        name="erasures"
        label={t('privacy.title')}
        columns={columns}
        rowId={({ user_id }) => user_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        actions={
          <Button size="xs" variant="default" onClick={() => setLifting(true)}>
            {t('privacy.lift')}
          </Button>
        }
        empty={<EmptyState text={t('privacy.none')} icon="key" />}
      />
      {isLifting && <LiftErasureDialog onClose={() => setLifting(false)} />}
    </>
  )
}
