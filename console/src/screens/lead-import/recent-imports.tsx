import { Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Instant } from '../../parts/instant.tsx'
import { type Meaning, StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'

export type LeadFile = RowOf<'listLeadFiles'>

const meanings: Record<LeadFile['state'], Meaning> = {
  uploading: 'soon',
  planning: 'action',
  planned: 'soon',
  committing: 'action',
  done: 'received',
  refused: 'refused',
}

/** The files of the school, those under way and those that are done. */
export function RecentImports() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const address = useListAddress()
  const { data, error } = useCall(
    'listLeadFiles',
    { page: address.page, page_size: pageSize },
    { refetchEveryMs: 5_000, keepsPrevious: true, isFreshOnOpening: true },
  )
  const columns = useMemo<Column<LeadFile>[]>(
    () => [
      { id: 'name', title: t('leadImport.file'), cell: ({ file_name }) => file_name },
      {
        id: 'state',
        title: t('leadImport.state'),
        cell: ({ state }) => <StateBadge meaning={meanings[state]} label={t(`leadImport.states.${state}`)} />,
      },
      { id: 'rows', title: t('leadImport.rows'), isNumber: true, cell: ({ row_count }) => row_count || '' },
      {
        id: 'reject',
        title: t('leadImport.toFix'),
        isNumber: true,
        cell: ({ state, plan, result }) => (state === 'done' ? result : plan).reject || '',
      },
      { id: 'time', title: t('leadImport.started'), cell: ({ ctime }) => <Instant at={ctime} /> },
    ],
    [t],
  )
  return (
    <>
      <Title order={2}>{t('leadImport.recent')}</Title>
      <DataTable
        name="lead-imports"
        label={t('leadImport.recent')}
        columns={columns}
        rowId={({ import_id }) => import_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        onOpen={({ import_id }) =>
          void navigate({ to: '/leads/import', search: { import: import_id } as never })
        }
        empty={<EmptyState text={t('leadImport.noImports')} icon="upload" />}
        spaceAround="24rem"
      />
    </>
  )
}
