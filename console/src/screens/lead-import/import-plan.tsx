import { Button, Group, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { ImportRows, Tally } from './import-rows.tsx'
import { LiftErased } from './lift-erased.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** The preview of an import, row by row. */
export function ImportPlan({ file }: { file: LeadFile }) {
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
