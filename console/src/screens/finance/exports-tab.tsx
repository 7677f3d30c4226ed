import { Button, Group, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { call, type InputOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { EmptyState, ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { openDownload } from '../../parts/save-file.ts'

type ExportFile = RowOf<'listExports'>

const kinds = {
  financial_rows: 'finance.exportRows',
  payments: 'finance.payments',
  refunds: 'finance.exportRefunds',
} as const
const isOpen = ({ state }: ExportFile) => state === 'waiting' || state === 'running'

/** Exports of the ledger. They run in the background; files are kept for a day. */
export function ExportsTab() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useCall(
    'listExports',
    {},
    { refetchEveryMs: (exports) => (exports?.list.some(isOpen) ? 400 : undefined) },
  )
  const files = data?.list ?? []
  return (
    <Stack gap="sm" align="flex-start">
      <AddButton label={t('finance.newExport')} onClick={() => setAsking(true)} />
      {error && <ErrorNotice error={error} />}
      {data && files.length === 0 && <EmptyState text={t('finance.noExports')} icon="download" />}
      {files.length > 0 && (
        <PlainTable
          label={t('finance.exports')}
          rows={files}
          rowId={({ export_id }) => export_id}
          minWidth={640}
          columns={[
            {
              id: 'content',
              title: t('finance.exportContent'),
              cell: ({ what, start_date, end_date }) =>
                `${t(kinds[what])} ${[start_date, end_date].filter(Boolean).join(' – ')}`,
            },
            { id: 'format', title: t('finance.exportFormat'), cell: ({ format }) => format.toUpperCase() },
            timeColumn<ExportFile>('as-of', t('finance.asOf'), ({ as_of }) => as_of),
            {
              id: 'state',
              title: t('fields.status'),
              card: 'value',
              width: '10rem',
              cell: (file) => <ExportState file={file} />,
            },
            {
              id: 'rows',
              title: t('fields.rows'),
              isNumber: true,
              cell: ({ state, rows_total }) => (state === 'done' ? rows_total : ''),
            },
            {
              id: 'file',
              title: t('fields.file'),
              card: 'action',
              cell: (file) => <ExportDownload file={file} />,
            },
          ]}
        />
      )}
      {isAsking && <ExportDialog onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function ExportState({ file }: { file: ExportFile }) {
  const { t } = useTranslation()
  const { state, rows_done, rows_total } = file
  if (state === 'done') return <StateBadge meaning="received" label={t('finance.exportDone')} />
  if (state === 'failed') return <StateBadge meaning="refused" label={t('finance.exportFailed')} />
  const label = t(state === 'running' ? 'finance.exportRunning' : 'finance.exportWaiting')
  return <Progress label={label} done={rows_done} total={rows_total} />
}

function ExportDownload({ file }: { file: ExportFile }) {
  const { t } = useTranslation()
  const { run } = useAction('createExport')
  const fetching = useAttempt()
  const { export_id, what, format, start_date, end_date, as_of, state } = file
  const repeat = () =>
    run({ what, format, as_of, start_date: start_date || undefined, end_date: end_date || undefined })
  // Only this call returns the file's address; it asks for the password if the session is old.
  const download = async () => openDownload((await call('fetchExport', { export_id })).download)
  return (
    <>
      {(state === 'done' || state === 'failed') && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={fetching.isRunning}
          onClick={() => void fetching.attempt<unknown>(state === 'done' ? download : repeat)}
        >
          {t(state === 'done' ? 'finance.download' : 'finance.exportAgain')}
        </Button>
      )}
      {fetching.error !== undefined && <ErrorNotice error={fetching.error} />}
    </>
  )
}

function ExportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('createExport')
  const { values, getInputProps } = useForm<InputOf<'createExport'>>({
    initialValues: { what: 'payments', format: 'xlsx', start_date: '', end_date: '', as_of: '' },
  })
  const act = async () => {
    const { what, format, start_date, end_date, as_of } = values
    await run({
      ...{ what, format },
      ...(start_date && { start_date }),
      ...(end_date && { end_date }),
      ...(as_of && { as_of }),
    })
    return { said: t('finance.exportStarted') }
  }
  return (
    <PreviewDialog title={t('finance.newExport')} onClose={onClose} act={act}>
      <Group grow>
        <Select
          label={t('finance.exportContent')}
          data={Object.entries(kinds).map(([value, word]) => ({ value, label: t(word) }))}
          {...getInputProps('what')}
          allowDeselect={false}
        />
        <Select
          label={t('finance.exportFormat')}
          data={['xlsx', 'csv'].map((value) => ({ value, label: value.toUpperCase() }))}
          {...getInputProps('format')}
          allowDeselect={false}
        />
      </Group>
      <Group grow>
        <DateField label={t('fields.from')} {...getInputProps('start_date')} />
        <DateField label={t('fields.until')} {...getInputProps('end_date')} />
      </Group>
      <DateField
        label={t('finance.asOf')}
        placeholder={t('finance.asOfNow')}
        withTime
        leaning="earlier"
        {...getInputProps('as_of')}
      />
    </PreviewDialog>
  )
}
