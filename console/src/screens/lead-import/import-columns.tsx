import { Button, Group, Select, SimpleGrid, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hint } from '../../parts/hint.tsx'
import type { LeadFile } from './recent-imports.tsx'
import { useColumnName } from './use-column-name.ts'

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
