import { Anchor, Group, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import type { LeadFile } from './recent-imports.tsx'
import { type FileRow, meanings, type Outcome, outcomes } from './row-grid.tsx'

/** The language in which the service gives reasons. */
export function useReasonLanguage(): 'en' | 'zh' {
  const { i18n } = useTranslation()
  return i18n.language.startsWith('zh') ? 'zh' : 'en'
}

/** The result of each row, before or after the import. */
export function ImportRows({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const address = useListAddress()
  const outcome = address.search.outcome as InputOf<'listLeadFileRows'>['outcome']
  const language = useReasonLanguage()
  const query = useList('listLeadFileRows', address, { import_id: file.import_id, outcome, language })
  const columns = useMemo<Column<FileRow>[]>(
    () => [
      { id: 'row', title: t('leadImport.row'), isNumber: true, width: '5rem', cell: ({ row }) => row },
      {
        ...{ id: 'outcome', title: t('leadImport.outcome'), card: 'value' },
        cell: ({ outcome }) => (
          <StateBadge
            meaning={meanings[outcome] ?? 'ended'}
            label={t(`leadImport.outcomes.${outcome as Outcome}`)}
          />
        ),
      },
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      {
        id: 'person',
        title: t('leadImport.person'),
        cell: ({ user_id, outcome }) =>
          user_id && outcome !== 'erased' ? (
            <Anchor component={Link} to="/people/$id" params={{ id: user_id } as never} inherit>
              {t('leadImport.openPerson')}
            </Anchor>
          ) : null,
      },
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

/** The number of rows by result; each number opens its rows, and all rows again. */
export function Tally({ counts }: { counts: LeadFile['plan'] }) {
  const { t } = useTranslation()
  const address = useListAddress()
  const chosen = address.search.outcome
  return (
    <Group gap={6} my="xs">
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <UnstyledButton
            key={outcome}
            mih="1.5rem"
            aria-pressed={chosen === outcome}
            style={chosen === outcome ? { textDecoration: 'underline' } : undefined}
            onClick={() => address.setFilters({ outcome: chosen === outcome ? undefined : outcome })}
          >
            <StateBadge
              meaning={meanings[outcome] ?? 'ended'}
              label={t(`leadImport.counted.${outcome}`, { count: counts[outcome] })}
            />
          </UnstyledButton>
        ))}
    </Group>
  )
}
