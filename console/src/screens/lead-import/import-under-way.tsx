import { Alert, Group, Stack, Stepper, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, useCall } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ImportPlan, ImportResult } from './import-result.tsx'
import { ImportColumns } from './import-rows.tsx'
import { ImportValues } from './import-values.tsx'
import { ChooseFile, type LeadFile } from './recent-imports.tsx'

const steps: Record<LeadFile['state'], number> = {
  uploading: 0,
  planning: 1,
  refused: 1,
  planned: 3,
  committing: 4,
  done: 5,
}

const discardable: LeadFile['state'][] = ['uploading', 'refused', 'planned']

/** Polls: the service works in the background, and colleagues may act on the same file. */
const refetchEveryMs = (file: LeadFile | undefined) =>
  file?.state === 'planning' || file?.state === 'committing' ? 400 : 5000

/** One import at its current step. */
export function ImportUnderWay({ importId }: { importId: string }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { data: file, error } = useCall('fetchLeadFile', { import_id: importId }, { refetchEveryMs })
  if (error) return <ErrorNotice error={error} />
  if (!file) return <Progress label={t('common.loading')} />
  const { bytes, received } = file
  // A person in the file was erased, so its content was removed.
  const isEmptied = file.state === 'refused' && received < bytes
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{file.file_name}</Text>
        {can('write') && discardable.includes(file.state) && <DiscardImport file={file} />}
      </Group>
      <Stepper active={steps[file.state]} size="xs" iconSize={24} allowNextStepsSelect={false}>
        <Stepper.Step label={t('leadImport.steps.file')} />
        <Stepper.Step label={t('leadImport.steps.columns')} />
        <Stepper.Step label={t('leadImport.steps.values')} />
        <Stepper.Step label={t('leadImport.steps.plan')} />
        <Stepper.Step label={t('leadImport.steps.commit')} />
      </Stepper>
      {file.state === 'uploading' && received < bytes && <ChooseFile rest={{ importId, bytes, received }} />}
      {file.state === 'planning' && (
        <Progress label={t('leadImport.planning')} done={file.last_row} total={file.row_count} />
      )}
      {file.state === 'refused' && (
        <Alert color="red" role="alert">
          {isEmptied ? t('leadImport.emptied') : file.refusal}
        </Alert>
      )}
      {can('write') && (file.state === 'planned' || (file.state === 'refused' && !isEmptied)) && (
        <ImportColumns file={file} />
      )}
      {can('write') && file.state === 'planned' && <ImportValues file={file} />}
      {file.state === 'planned' && <ImportPlan file={file} />}
      {file.state === 'committing' && (
        <Progress label={t('leadImport.committing')} done={file.last_row} total={file.row_count + 1} />
      )}
      {file.state === 'done' && <ImportResult file={file} />}
    </Stack>
  )
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
