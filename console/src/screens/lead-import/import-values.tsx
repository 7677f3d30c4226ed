import { Autocomplete, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { useColumnName } from './import-rows.tsx'
import type { LeadFile } from './recent-imports.tsx'

type FoundColumn = DataOf<'listLeadFileValues'>['columns'][number]
type FoundValue = FoundColumn['list'][number]
type ToldValue = NonNullable<InputOf<'planLeadFile'>['values']>[number]

const keyOf = (column: string, value: string) => `${column}\n${value}`
/** Keeps the preview close below. */
const few = 8
/** The option that imports an empty value. */
const nothing = 'nothing'

/** How the import reads the values of the file, and fields that change it. */
export function ImportValues({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const plan = useAction('planLeadFile')
  const { data, error } = useCall('listLeadFileValues', { import_id: file.import_id })
  const [changed, setChanged] = useState<Record<string, string | null>>({})
  if (error) return <ErrorNotice error={error} />
  const columns = data?.columns.filter(({ list }) => list.length > 0) ?? []
  if (columns.length === 0) return null

  const meaningOf = (column: string, { value, stands_for }: FoundValue) => {
    const typed = changed[keyOf(column, value)]
    return typed === undefined ? stands_for : typed
  }
  const again = () => {
    const values = columns.flatMap(({ column, list }) =>
      list.flatMap((each) => {
        const stands_for = meaningOf(column, each)
        return stands_for === null ? [] : [{ column, value: each.value, stands_for } as ToldValue]
      }),
    )
    const mapping = file.columns
      .filter(({ column }) => column !== '')
      .map(({ header, column }) => ({ header, column }))
    plan
      .run({ import_id: file.import_id, mapping, values })
      .then(() => setChanged({}))
      .catch(() => undefined)
  }
  return (
    <section>
      <Title order={2}>{t('leadImport.steps.values')}</Title>
      <Hint mb="xs">{t('leadImport.valuesHint')}</Hint>
      <Stack>
        {columns.map((found) => (
          <ValuesOfColumn
            key={found.header}
            found={found}
            meaningOf={(value) => meaningOf(found.column, value)}
            onChange={({ value }, meaning) =>
              setChanged({ ...changed, [keyOf(found.column, value)]: meaning })
            }
          />
        ))}
      </Stack>
      {Object.keys(changed).length > 0 && (
        <Group mt="xs">
          <Button size="xs" loading={plan.isRunning} onClick={again}>
            {t('leadImport.applyValues')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setChanged({})}>
            {t('common.cancel')}
          </Button>
        </Group>
      )}
      {plan.error && <ErrorNotice error={plan.error} />}
    </section>
  )
}

interface ValuesOfColumnProps {
  found: FoundColumn
  meaningOf(value: FoundValue): string | null
  /** Null: the value as it is. */
  onChange(value: FoundValue, meaning: string | null): void
}

function ValuesOfColumn({ found, meaningOf, onChange }: ValuesOfColumnProps) {
  const { t } = useTranslation()
  const columnName = useColumnName()
  const { header, column, distinct, others, list } = found
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? list : list.slice(0, few)
  const title = t('leadImport.valuesOf', { header, column: columnName(column) })
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <PlainTable
        label={title}
        rows={shown}
        rowId={({ value }) => value}
        minWidth={560}
        columns={[
          { id: 'value', title: t('leadImport.value'), cell: ({ value }) => value },
          { id: 'rows', title: t('fields.rows'), isNumber: true, cell: ({ rows }) => rows },
          {
            id: 'recognised',
            title: t('leadImport.recognisedAs'),
            cell: (each) => <RecognisedValue kind={found.kind} found={each} />,
          },
          {
            id: 'import-as',
            title: t('leadImport.importAs'),
            width: '18rem',
            cell: (each) => (
              <MeaningField
                label={t('leadImport.importValueAs', { value: each.value })}
                kind={found.kind}
                found={each}
                meaning={meaningOf(each)}
                onChange={(meaning) => onChange(each, meaning)}
              />
            ),
          },
        ]}
      />
      {list.length > shown.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {t('leadImport.allValues', { count: list.length })}
        </Button>
      )}
      {list.length === shown.length && others > 0 && (
        <Hint>{t('leadImport.otherValues', { count: others, distinct })}</Hint>
      )}
    </div>
  )
}

/** How the import reads a value now. */
function RecognisedValue({ kind, found }: { kind: FoundColumn['kind']; found: FoundValue }) {
  const { t } = useTranslation()
  const { understood, is_known, stands_for } = found
  if (stands_for === '') return <StateBadge meaning="ended" label={t('leadImport.empty')} />
  if (!is_known) return <StateBadge meaning="refused" label={t('leadImport.unknown')} />
  return kind === 'yes_no' ? t(understood === 'yes' ? 'common.yes' : 'common.no') : understood
}

interface MeaningFieldProps {
  label: string
  kind: FoundColumn['kind']
  found: FoundValue
  meaning: string | null
  onChange(meaning: string | null): void
}

function MeaningField({ label, kind, found, meaning, onChange }: MeaningFieldProps) {
  const { t } = useTranslation()
  const advisers = useAdvisers().options
  const courses = useCourseOptions('course_code')
  const yesOrNo = [
    { value: 'yes', label: t('common.yes') },
    { value: 'no', label: t('common.no') },
  ]
  const options = { owner: advisers, course: courses, yes_no: yesOrNo, text: [] }[kind]
  const suggested = options.find(({ value }) => value === found.suggestion)?.label ?? found.suggestion
  const placeholder = suggested ? t('leadImport.possibly', { column: suggested }) : t('leadImport.unchanged')
  if (kind === 'text')
    return (
      <Autocomplete
        size="xs"
        aria-label={label}
        placeholder={placeholder}
        data={[t('leadImport.empty')]}
        value={meaning === '' ? t('leadImport.empty') : (meaning ?? '')}
        onChange={(text) => onChange(text === t('leadImport.empty') ? '' : text === '' ? null : text)}
        clearable
      />
    )
  return (
    <Select
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      data={[...options, { value: nothing, label: t('leadImport.empty') }]}
      value={meaning === '' ? nothing : meaning}
      onChange={(value) => onChange(value === nothing ? '' : value)}
      searchable
      clearable
    />
  )
}
