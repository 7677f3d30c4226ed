import { Anchor, Button, Group, Select, SimpleGrid, Text, Title } from '@mantine/core'
import { Fragment, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InputOf, type RowOf, useAction } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
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

const columns = [
  ...['name', 'area_code', 'mobile', 'course_code', 'city', 'company_name', 'job_title', 'department'],
  ...['work_exp', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_channel', 'utm_keyword', 'utm_term'],
  ...['campaign', 'is_corporate_training', 'owner_ids', 'entry_id', 'page_id', 'user_id', 'bd_vid', 'oid'],
  ...[1, 2, 3, 4].flatMap((n) => [`form${n}_name`, `form${n}_value`]),
]

/** Maps the headers of the file to columns. Files with the same headers reuse the choice. */
export function ImportColumns({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const plan = useAction('planLeadFile')
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const labelOf = useColumnName()
  const options = columns.map((column) => ({ value: column, label: labelOf(column) }))
  const meaningOf = ({ header, column }: LeadFile['columns'][number]) => chosen[header] ?? column
  const again = () => {
    const mapping = file.columns
      .map((each) => ({ header: each.header, column: meaningOf(each) }))
      .filter(({ column }) => column !== '')
    plan
      .run({ import_id: file.import_id, mapping })
      .then(() => setChosen({}))
      .catch(() => undefined)
  }
  return (
    <section>
      <Title order={2}>{t('leadImport.columnsTitle')}</Title>
      <Hint mb="xs">{t('leadImport.columnsHint')}</Hint>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="xs">
        {file.columns.map((each) => (
          <Select
            key={each.header}
            size="xs"
            label={each.header}
            data={options}
            value={meaningOf(each) || null}
            placeholder={
              each.suggestion
                ? t('leadImport.possibly', { column: labelOf(each.suggestion) })
                : t('leadImport.notImported')
            }
            clearable
            searchable
            onChange={(column) => setChosen({ ...chosen, [each.header]: column ?? '' })}
          />
        ))}
      </SimpleGrid>
      {Object.keys(chosen).length > 0 && (
        <Group mt="xs">
          <Button size="xs" loading={plan.isRunning} onClick={again}>
            {t('leadImport.applyColumns')}
          </Button>
        </Group>
      )}
      {plan.error && <ErrorNotice error={plan.error} />}
    </section>
  )
}

/** The name of a lead's column; without a translation, its API name. */
export function useColumnName(): (column: string) => string {
  const { t, i18n } = useTranslation()
  return useCallback(
    (column) => {
      const key = `leadImport.columns.${column}`
      return i18n.exists(key) ? t(key as 'leadImport.columns.name') : column
    },
    [t, i18n],
  )
}
