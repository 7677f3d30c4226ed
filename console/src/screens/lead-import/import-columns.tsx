import { Button, Select, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { StepHead, useStep } from './import-steps.tsx'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'
import { usePreview } from './use-preview.ts'

type FileColumn = LeadFile['columns'][number]

const columns = [
  ...['name', 'mobile', 'email', 'wechat_id', 'lead_time', 'course_code', 'owner_ids', 'note', 'tags'],
  ...['first_name', 'last_name', 'area_code', 'backup_mobile', 'birthday', 'external_id', 'question'],
  ...['city', 'company_name', 'job_title', 'department', 'work_exp', 'utm_source', 'utm_medium'],
  ...['utm_campaign', 'utm_channel', 'utm_keyword', 'utm_term', 'campaign', 'is_corporate_training'],
  ...['entry_id', 'page_id', 'user_id', 'bd_vid', 'oid'],
  ...[1, 2, 3, 4].flatMap((n) => [`form${n}_name`, `form${n}_value`]),
]

/** Maps the headers of the file to columns. Files with the same headers reuse the choice. */
export function ImportColumns({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const goTo = useStep(file)
  const plan = useAction('planLeadFile')
  const { data: preview } = usePreview(file)
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const samplesOf = (at: number) =>
    (preview?.first_rows ?? [])
      .filter(({ row }) => row > (preview?.header_row ?? 0))
      .flatMap(({ cells }) => cells[at] || [])
      .slice(0, 3)
  const next = async () => {
    // Guesses that were seen and left count as chosen: the commit remembers them.
    const isSettled = Object.keys(chosen).length === 0 && file.columns.every(({ guessed }) => !guessed)
    try {
      if (!isSettled || file.state === 'refused')
        await plan.run({ import_id: file.import_id, mapping: mappingOf(file, chosen) })
      goTo('values')
    } catch {
      // Shown below.
    }
  }
  return (
    <section>
      <StepHead title={t('leadImport.columnsTitle')} hint={t('leadImport.columnsHint')}>
        <Button size="sm" variant="default" onClick={() => goTo('file')}>
          {t('leadImport.toFile')}
        </Button>
        <Button size="sm" loading={plan.isRunning} onClick={() => void next()}>
          {t('leadImport.toValues')}
        </Button>
      </StepHead>
      {plan.error && <ErrorNotice error={plan.error} />}
      <div className={`${classes.card} ${classes.columns}`} style={{ marginTop: '0.6rem' }}>
        <div className={classes.head}>
          <span>{t('leadImport.inFile')}</span>
          <span>{t('leadImport.firstValues')}</span>
          <span>{t('leadImport.importAs')}</span>
          <span />
        </div>
        {file.columns.map((each, at) =>
          each.header === '' ? null : (
            <ColumnLine
              key={each.header}
              each={each}
              samples={samplesOf(at)}
              meaning={chosen[each.header] ?? each.column}
              isChosen={chosen[each.header] !== undefined}
              onChoose={(column) => setChosen({ ...chosen, [each.header]: column })}
            />
          ),
        )}
      </div>
    </section>
  )
}

interface ColumnLineProps {
  each: FileColumn
  samples: string[]
  meaning: string
  isChosen: boolean
  onChoose(column: string): void
}

function ColumnLine({ each, samples, meaning, isChosen, onChoose }: ColumnLineProps) {
  const { t } = useTranslation()
  const labelOf = useColumnName()
  const { header, suggestion, guessed, confidence } = each
  return (
    <div>
      <Text size="sm" fw={600}>
        {header}
      </Text>
      <span className={classes.samples} title={samples.join(' · ')}>
        {samples.join(' · ')}
      </span>
      <Select
        size="xs"
        aria-label={header}
        data={columns.map((column) => ({ value: column, label: labelOf(column) }))}
        value={meaning || null}
        placeholder={
          suggestion ? t('leadImport.possibly', { column: labelOf(suggestion) }) : t('leadImport.notImported')
        }
        clearable
        searchable
        onChange={(column) => onChoose(column ?? '')}
      />
      <span>
        {guessed && !isChosen ? (
          <StateBadge meaning="soon" label={t('leadImport.guess', { confidence })} />
        ) : (
          meaning === '' && <StateBadge meaning="ended" label={t('leadImport.notImported')} />
        )}
      </span>
    </div>
  )
}

/** The mapping of a file as it is shown: a column without a meaning stays without one. */
export function mappingOf(
  file: LeadFile,
  chosen: Record<string, string> = {},
): { header: string; column: string }[] {
  return file.columns
    .filter(({ header }) => header.trim() !== '')
    .map(({ header, column }) => ({ header, column: (chosen[header] ?? column) || 'ignore' }))
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
