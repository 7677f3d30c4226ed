import { Alert, Anchor, Button, Group, Stack, Stepper, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, useAction, useCall } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { FixRows, LiftErased } from './fix-rows.tsx'
import { ImportColumns, ImportRows, Tally } from './import-rows.tsx'
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

/** The result of an import, with rows to fix and undo. */
function ImportResult({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isFixing, setFixing] = useState(false)
  const undo = useAction('undoChanges')
  const { data: batch } = useCall('fetchChanges', { batch_id: file.batch_id }, { refetchEveryMs: 5000 })
  const undoId = batch?.undone_by_batch_id ?? ''
  const { data: undone } = useCall(
    'fetchChanges',
    { batch_id: undoId },
    { enabled: undoId !== '', refetchEveryMs: (undo) => (undo?.is_complete ? undefined : 400) },
  )
  const { new_user, known_user, reject } = file.result
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>{t('leadImport.resultTitle')}</Title>
          <Tally counts={file.result} />
        </div>
        <Group gap="xs">
          <Anchor component={Link} to="/leads" size="sm">
            {t('leadImport.toLeads')}
          </Anchor>
          <LiftErased file={file} />
          {can('write') && reject > 0 && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
              onClick={() => setFixing(true)}
            >
              {t('leadImport.fix', { count: reject })}
            </Button>
          )}
          {can('write') && undoId === '' && (
            <ConfirmedButton
              label={t('leadImport.undo')}
              text={t('leadImport.undoWill', { count: new_user + known_user })}
              leftSection={<Icon name="undo" size={14} />}
              act={async () => {
                await undo.run({ batch_id: file.batch_id })
                return { said: t('leadImport.undoStarted') }
              }}
            />
          )}
        </Group>
      </Group>
      {undoId !== '' && undone && !undone.is_complete && (
        <Progress
          label={t('leadImport.undoing')}
          done={(batch?.changes ?? 0) - undone.remaining}
          total={batch?.changes ?? 0}
        />
      )}
      {undone?.is_complete && (
        <Text size="sm" role="status">
          {t('leadImport.undone', {
            removed: undone.removed,
            restored: undone.restored,
            left: undone.left_alone,
          })}
        </Text>
      )}
      {undo.error && <ErrorNotice error={undo.error} />}
      {isFixing ? <FixRows file={file} onClose={() => setFixing(false)} /> : <ImportRows file={file} />}
    </section>
  )
}

/** The preview of an import, row by row. */
function ImportPlan({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const commit = useAction('commitLeadFile')
  const { new_user, known_user } = file.plan
  const count = new_user + known_user
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>{t('leadImport.planTitle')}</Title>
          <Tally counts={file.plan} />
        </div>
        <Group gap="xs">
          <LiftErased file={file} />
          {can('write') && (
            <Button
              size="sm"
              loading={commit.isRunning}
              disabled={count === 0}
              onClick={() => void commit.run({ import_id: file.import_id }).catch(() => undefined)}
            >
              {t('leadImport.commit', { count })}
            </Button>
          )}
        </Group>
      </Group>
      {commit.error && <ErrorNotice error={commit.error} />}
      <ImportRows file={file} />
    </section>
  )
}
