import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Hint } from '../../parts/hint.tsx'
import { Instant } from '../../parts/instant.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { LiftErasureDialog } from './lift-erasure-dialog.tsx'

type Erasure = RowOf<'listErasures'>

/** Erasures, and lifting one for a person who came back. */
export function PrivacyTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const [isLifting, setLifting] = useState(false)
  const query = useList('listErasures', address, {}, { isFreshOnOpening: true })
  const { nameOf } = useAdvisers()
  const columns = useMemo<Column<Erasure>[]>(
    () => [
      { id: 'time', title: t('privacy.erased'), cell: ({ time }) => <Instant at={time} /> },
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('activity.by'), cell: ({ executor_id }) => nameOf(executor_id) },
      { id: 'contacts', title: t('privacy.contacts'), isNumber: true, cell: ({ contacts }) => contacts },
      {
        id: 'state',
        title: t('fields.status'),
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
    ],
    [t, nameOf],
  )
  return (
    <>
      <Hint mb="xs">{t('privacy.hint')}</Hint>
      <DataTable
        name="erasures"
        label={t('privacy.title')}
        columns={columns}
        rowId={({ user_id }) => user_id}
        query={query}
        address={address}
        actions={
          <Button size="xs" variant="default" onClick={() => setLifting(true)}>
            {t('privacy.lift')}
          </Button>
        }
        empty={{ text: t('privacy.none'), icon: 'key' }}
      />
      {isLifting && <LiftErasureDialog onClose={() => setLifting(false)} />}
    </>
  )
}
