import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction, useCall } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { FixRows, LiftErased } from './fix-rows.tsx'
import { ImportRows, Tally } from './import-rows.tsx'
import { StepHead } from './import-steps.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** The result of an import, with rows to fix and undo. */
export function ImportResult({ file }: { file: LeadFile }) {
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
      <StepHead title={t('leadImport.resultTitle')}>
        <Anchor component={Link} to="/people" search={{ import_id: file.import_id } as never} size="sm">
          {t('leadImport.toPeople')}
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
      </StepHead>
      <Group>
        <Tally counts={file.result} />
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
            leads: undone.removed_leads,
            people: undone.removed_users,
            restored: undone.restored_users,
            left: undone.left_alone,
          })}
        </Text>
      )}
      {undo.error && <ErrorNotice error={undo.error} />}
      {isFixing ? <FixRows file={file} onClose={() => setFixing(false)} /> : <ImportRows file={file} />}
    </section>
  )
}
