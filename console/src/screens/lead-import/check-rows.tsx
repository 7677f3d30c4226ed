import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type InputOf, useAction } from '../../calls/call.ts'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import { pageSize, useList, useListAddress } from '../../parts/use-list-address.ts'
import { LiftErased } from './fix-rows.tsx'
import { mappingOf } from './import-columns.tsx'
import { Tally, useReasonLanguage } from './import-rows.tsx'
import { StepHead, useStep } from './import-steps.tsx'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'
import { type Edits, RowGrid, RowPages } from './row-grid.tsx'

/** The step before the import: every row with its outcome, and fields to correct those that need fixing. */
export function CheckRows({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const goTo = useStep(file)
  const address = useListAddress()
  const commit = useAction('commitLeadFile')
  const plan = useAction('planLeadFile')
  const [edits, setEdits] = useState<Edits>({})
  const outcome = address.search.outcome as InputOf<'listLeadFileRows'>['outcome']
  const filter = { import_id: file.import_id, outcome, language: useReasonLanguage() }
  const { data, error, isPlaceholderData } = useList('listLeadFileRows', address, filter)
  const { new_user, known_user } = file.plan
  const count = new_user + known_user
  const changed = Object.keys(edits).length
  const correct = () => {
    const fixes = Object.entries(edits).map(([key, value]) => {
      const [row, cell] = key.split(' ').map(Number)
      return { row: row!, cell: cell!, value }
    })
    plan
      .run({ import_id: file.import_id, mapping: mappingOf(file), fixes })
      .then(() => setEdits({}))
      .catch(() => undefined)
  }
  const pages = Math.ceil((data?.total ?? 0) / pageSize)
  return (
    <section>
      <StepHead
        title={t('leadImport.planTitle')}
        hint={file.plan.reject > 0 ? t('leadImport.checkHint') : undefined}
      >
        <LiftErased file={file} />
        {can('write') && (
          <>
            <Button size="sm" variant="default" onClick={() => goTo('values')}>
              {t('leadImport.backToValues')}
            </Button>
            <Button
              size="sm"
              loading={commit.isRunning}
              disabled={count === 0 || changed > 0}
              onClick={() => {
                commit
                  .run({ import_id: file.import_id })
                  .then(() => goTo('import'))
                  .catch(() => undefined)
              }}
            >
              {t('leadImport.commit', { count })}
            </Button>
          </>
        )}
      </StepHead>
      <Tally counts={file.plan} />
      {commit.error && <ErrorNotice error={commit.error} />}
      {plan.error && <ErrorNotice error={plan.error} />}
      {error !== undefined && error !== null && <ErrorNotice error={error} />}
      {!data && !error && <Progress label={t('common.loading')} />}
      {data && data.list.length > 0 && (
        <Renewing isStale={isPlaceholderData}>
          <RowGrid file={file} rows={data.list} edits={edits} onEdit={can('write') ? setEdits : undefined} />
        </Renewing>
      )}
      {data && data.list.length === 0 && <Hint>{t('table.nothing')}</Hint>}
      <RowPages page={address.page} pages={pages} onChange={(page) => address.setPage(page)} />
      {changed > 0 && (
        <Group className={`${classes.card} ${classes.actions}`} p="xs" mt="xs" gap="xs">
          <Button size="sm" loading={plan.isRunning} onClick={correct}>
            {t('leadImport.checkCorrections', { count: changed })}
          </Button>
          <Button size="sm" variant="default" onClick={() => setEdits({})}>
            {t('common.cancel')}
          </Button>
        </Group>
      )}
    </section>
  )
}
