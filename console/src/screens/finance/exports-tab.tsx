import { Button, Group, Select, Stack, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/use-attempt.ts'
import { call, type InputOf, type RowOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { Progress } from '../../parts/progress.tsx'
import { openDownload } from '../../parts/save-file.ts'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'

type ExportFile = RowOf<'listExports'>

const kinds = {
  financial_rows: 'finance.exportRows',
  payments: 'finance.payments',
  refunds: 'finance.exportRefunds',
} as const
const isOpen = ({ state }: ExportFile) => state === 'waiting' || state === 'running'

/** Files of the ledger: asked for here, made in the background, kept for a day. */
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
        <ScrollSideways minWidth={640}>
          <Table fz="sm" verticalSpacing={4} aria-label={t('finance.exports')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('finance.exportContent')}</Table.Th>
                <Table.Th>{t('finance.exportFormat')}</Table.Th>
                <Table.Th>{t('finance.asOf')}</Table.Th>
                <Table.Th>{t('fields.status')}</Table.Th>
                <Table.Th ta="right">{t('fields.rows')}</Table.Th>
                <Table.Th>{t('fields.file')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {files.map((file) => (
                <ExportRow key={file.export_id} file={file} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollSideways>
      )}
      {isAsking && <ExportDialog onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function ExportRow({ file }: { file: ExportFile }) {
  const { t } = useTranslation()
  const { run } = useAction('createExport')
  const fetching = useAttempt()
  const { what, format, start_date, end_date, as_of, state } = file
  const again = () =>
    run({ what, format, as_of, start_date: start_date || undefined, end_date: end_date || undefined })
  // Only this answers the address of the file, and asks for the password where the session is old.
  const download = async () =>
    openDownload((await call('fetchExport', { export_id: file.export_id })).download)
  return (
    <Table.Tr>
      <Table.Td>
        {t(kinds[what])} {[start_date, end_date].filter(Boolean).join(' – ')}
      </Table.Td>
      <Table.Td>{format.toUpperCase()}</Table.Td>
      <Table.Td>
        <Instant at={as_of} />
      </Table.Td>
      <Table.Td miw="10rem">
        {isOpen(file) && (
          <Progress
            label={t(state === 'running' ? 'finance.exportRunning' : 'finance.exportWaiting')}
            done={file.rows_done}
            total={file.rows_total}
          />
        )}
        {state === 'done' && <StateBadge meaning="received" label={t('finance.exportDone')} />}
        {state === 'failed' && <StateBadge meaning="refused" label={t('finance.exportFailed')} />}
      </Table.Td>
      <Table.Td ta="right">{state === 'done' ? file.rows_total : ''}</Table.Td>
      <Table.Td>
        {state === 'done' && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={fetching.isRunning}
            onClick={() => void fetching.attempt(download)}
          >
            {t('finance.download')}
          </Button>
        )}
        {fetching.error !== undefined && <ErrorNotice error={fetching.error} />}
        {state === 'failed' && (
          <Button size="compact-xs" variant="subtle" onClick={() => void again().catch(() => undefined)}>
            {t('finance.exportAgain')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function ExportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('createExport')
  const [what, setWhat] = useState<ExportFile['what']>('payments')
  const [format, setFormat] = useState<ExportFile['format']>('xlsx')
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const [asOf, setAsOf] = useState('')
  const act = async () => {
    const input: InputOf<'createExport'> = {
      ...{ what, format },
      ...(start && { start_date: start }),
      ...(end && { end_date: end }),
      ...(asOf && { as_of: asOf }),
    }
    await run(input)
    return { said: t('finance.exportStarted') }
  }
  return (
    <PreviewDialog
      title={t('finance.newExport')}
      confirmLabel={t('finance.newExport')}
      onClose={onClose}
      act={act}
    >
      <Group grow>
        <Select
          label={t('finance.exportContent')}
          data={Object.entries(kinds).map(([value, word]) => ({ value, label: t(word) }))}
          value={what}
          onChange={(value) => setWhat((value as ExportFile['what']) ?? what)}
          allowDeselect={false}
        />
        <Select
          label={t('finance.exportFormat')}
          data={[
            { value: 'xlsx', label: 'XLSX' },
            { value: 'csv', label: 'CSV' },
          ]}
          value={format}
          onChange={(value) => setFormat((value as ExportFile['format']) ?? format)}
          allowDeselect={false}
        />
      </Group>
      <Group grow>
        <TextInput
          label={t('fields.from')}
          type="date"
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <TextInput
          label={t('fields.until')}
          type="date"
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
      </Group>
      <TextInput
        label={t('finance.asOf')}
        placeholder={t('finance.asOfNow')}
        type="datetime-local"
        value={asOf}
        onChange={(event) => setAsOf(event.currentTarget.value)}
      />
    </PreviewDialog>
  )
}
