import { Alert, Group, Stack, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { call, useCall } from '../../calls/call.ts'
import type { Words } from '../../languages/en.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { CheckRows } from './check-rows.tsx'
import { ChooseHeader } from './choose-header.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportResult } from './import-result.tsx'
import { ImportSteps, type Step, stepOf } from './import-steps.tsx'
import { ImportValues } from './import-values.tsx'
import { ChooseFile, type LeadFile } from './recent-imports.tsx'

const discardable: LeadFile['state'][] = ['uploading', 'refused', 'planned']

/** Polls: the service works in the background, and colleagues may act on the same file. */
const refetchEveryMs = (file: LeadFile | undefined) =>
  file?.state === 'planning' || file?.state === 'committing' ? 400 : 5000

/** One import at the step that its address names. */
export function ImportUnderWay({ importId }: { importId: string }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { step: asked } = useSearch({ strict: false }) as Search
  const { data: file, error } = useCall('fetchLeadFile', { import_id: importId }, { refetchEveryMs })
  if (error) return <ErrorNotice error={error} />
  if (!file) return <Progress label={t('common.loading')} />
  const step = stepOf(file, asked)
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1}>{file.file_name}</Title>
          <FileFacts file={file} />
        </div>
        {can('write') && discardable.includes(file.state) && <DiscardImport file={file} />}
      </Group>
      <ImportSteps file={file} step={step} />
      <StepContent file={file} step={step} />
    </Stack>
  )
}

function StepContent({ file, step }: { file: LeadFile; step: Step }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { state, bytes, received } = file
  // A person in the file was erased, so its content was removed.
  if (state === 'refused' && received < bytes) return <Refusal>{t('leadImport.emptied')}</Refusal>
  if (state === 'uploading')
    return received < bytes ? <ChooseFile rest={{ importId: file.import_id, bytes, received }} /> : null
  if (state === 'planning')
    return <Progress label={t('leadImport.planning')} done={file.last_row} total={file.row_count} />
  if (state === 'committing')
    return <Progress label={t('leadImport.committing')} done={file.last_row} total={file.row_count + 1} />
  if (state === 'done') return <ImportResult file={file} />
  const reason = file.refusal_reason as keyof Words['leadImport']['refusals'] | ''
  return (
    <>
      {state === 'refused' && (
        <Refusal>{reason === '' ? file.refusal : t(`leadImport.refusals.${reason}`)}</Refusal>
      )}
      {step === 'file' && <ChooseHeader file={file} />}
      {step === 'columns' && can('write') && <ImportColumns key={file.mtime} file={file} />}
      {step === 'values' && can('write') && <ImportValues file={file} />}
      {step === 'check' && <CheckRows file={file} />}
    </>
  )
}

function Refusal({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  )
}

/** The facts about the file: sheet, header row, rows, encoding. */
function FileFacts({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { sheet, header_row, row_count, encoding, preset } = file
  if (row_count === 0) return null
  const facts = [
    ...(sheet ? [t('leadImport.sheetIs', { sheet })] : []),
    header_row > 0 ? t('leadImport.headerIs', { row: header_row }) : t('leadImport.noHeader'),
    t('leadImport.rowsAre', { count: row_count }),
    ...(encoding && encoding !== 'utf-8'
      ? [t('leadImport.readAs', { encoding: encoding.toUpperCase() })]
      : []),
    ...(preset
      ? [
          t('leadImport.fromPreset', {
            preset: t(`leadImport.presets.${preset as keyof Words['leadImport']['presets']}`),
          }),
        ]
      : []),
  ]
  return <Hint>{facts.join(' · ')}</Hint>
}

/** Discards a file and returns to the list. */
function DiscardImport({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <ConfirmedButton
      label={t('leadImport.discard')}
      text={t('leadImport.discardWill')}
      leftSection={<Icon name="trash" size={14} />}
      act={async () => {
        // Not useAction, which would refetch this file after it is gone.
        await call('discardLeadFile', { import_id: file.import_id })
        await navigate({ to: '/leads/import' })
        return { said: t('leadImport.discarded', { name: file.file_name }) }
      }}
    />
  )
}
