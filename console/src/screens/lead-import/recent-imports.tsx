import { Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant } from '../../parts/instant.tsx'
import { type Meaning, StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'

export type LeadFile = RowOf<'listLeadFiles'>

const meanings: Record<LeadFile['state'], Meaning> = {
  uploading: 'soon',
  planning: 'action',
  planned: 'soon',
  committing: 'action',
  done: 'received',
  refused: 'refused',
}

/** The school's imports, running and finished. */
export function RecentImports() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const address = useListAddress()
  const query = useList('listLeadFiles', address, {}, { refetchEveryMs: 5_000, isFreshOnOpening: true })
  const columns = useMemo<Column<LeadFile>[]>(
    () => [
      { id: 'name', title: t('fields.file'), cell: ({ file_name }) => file_name },
      {
        id: 'state',
        title: t('fields.status'),
        cell: ({ state }) => <StateBadge meaning={meanings[state]} label={t(`leadImport.states.${state}`)} />,
      },
      { id: 'rows', title: t('fields.rows'), isNumber: true, cell: ({ row_count }) => row_count || '' },
      {
        id: 'reject',
        title: t('leadImport.outcomes.reject'),
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
        query={query}
        address={address}
        onOpen={({ import_id }) =>
          void navigate({ to: '/leads/import', search: { import: import_id } as never })
        }
        empty={{ text: t('leadImport.noImports'), icon: 'upload' }}
        spaceAround="24rem"
      />
    </>
  )
}
