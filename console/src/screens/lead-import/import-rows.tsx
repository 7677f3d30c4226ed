import { Anchor, Text } from '@mantine/core'
import { Fragment, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { type Meaning, StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import type { LeadFile } from './recent-imports.tsx'

const outcomes = ['new_user', 'known_user', 'duplicate_entry', 'duplicate_row', 'reject', 'erased'] as const
type Row = RowOf<'listLeadFileRows'>

const meanings: Record<string, Meaning> = {
  new_user: 'received',
  known_user: 'action',
  reject: 'refused',
  erased: 'refused',
}

/** The result of each row, before or after the import. */
export function ImportRows({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const address = useListAddress()
  const outcome = address.search.outcome as InputOf<'listLeadFileRows'>['outcome']
  const query = useList('listLeadFileRows', address, { import_id: file.import_id, outcome })
  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: 'row', title: t('leadImport.row'), isNumber: true, width: '5rem', cell: ({ row }) => row },
      {
        id: 'outcome',
        title: t('leadImport.outcome'),
        cell: ({ outcome }) => (
          <StateBadge
            meaning={meanings[outcome] ?? 'ended'}
            label={t(`leadImport.outcomes.${outcome as (typeof outcomes)[number]}`)}
          />
        ),
      },
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      {
        id: 'cells',
        title: t('leadImport.value'),
        cell: ({ cells }) => (
          <Text size="sm" c="dimmed" truncate maw="28rem">
            {cells.join(' | ')}
          </Text>
        ),
      },
    ],
    [t],
  )
  const options = outcomes.map((value) => ({ value, label: t(`leadImport.outcomes.${value}`) }))
  return (
    <DataTable
      name="lead-import-rows"
      label={t('leadImport.rowsTitle')}
      columns={columns}
      rowId={({ row }) => String(row)}
      query={query}
      address={address}
      filters={[{ kind: 'choice', name: 'outcome', label: t('leadImport.outcome'), options }]}
      spaceAround="30rem"
    />
  )
}

/** The number of rows by result; each number opens its rows. */
export function Tally({ counts }: { counts: LeadFile['plan'] }) {
  const { t } = useTranslation()
  const address = useListAddress()
  return (
    <Text size="sm">
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome, index) => (
          <Fragment key={outcome}>
            {index > 0 && t('common.listComma')}
            <Anchor component="button" type="button" inherit onClick={() => address.setFilters({ outcome })}>
              {t(`leadImport.counted.${outcome}`, { count: counts[outcome] })}
            </Anchor>
          </Fragment>
        ))}
    </Text>
  )
}
