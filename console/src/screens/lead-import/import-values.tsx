import { Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { useAdvisers, useCourseOptions, useTagGroupOptions } from '../../parts/use-advisers.ts'
import { mappingOf, useColumnName } from './import-columns.tsx'
import { StepHead, useStep } from './import-steps.tsx'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'

type FoundColumn = DataOf<'listLeadFileValues'>['columns'][number]
type FoundValue = FoundColumn['list'][number]
type ToldValue = NonNullable<InputOf<'planLeadFile'>['values']>[number]

const keyOf = (column: string, value: string) => `${column}\n${value}`
/** Keeps the preview close below. */
const few = 8
/** The option that imports an empty value. */
const nothing = 'nothing'

/** The meanings of the values of the file. Guesses are selected; unknown values wait for a choice. */
export function ImportValues({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const goTo = useStep(file)
  const plan = useAction('planLeadFile')
  const { data, error } = useCall('listLeadFileValues', { import_id: file.import_id })
  const [changed, setChanged] = useState<Record<string, string | null>>({})
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Progress label={t('common.loading')} />
  const columns = data.columns.filter(({ list }) => list.length > 0)
  const meaningOf = (column: string, { value, stands_for, guessed, suggestion }: FoundValue) => {
    const typed = changed[keyOf(column, value)]
    if (typed !== undefined) return typed
    return stands_for ?? (guessed && suggestion ? suggestion : null)
  }
  const next = async () => {
    const values = columns.flatMap(({ column, list }) =>
      list.flatMap((each) => {
        const stands_for = meaningOf(column, each)
        return stands_for === null ? [] : [{ column, value: each.value, stands_for } as ToldValue]
      }),
    )
    try {
      if (Object.keys(changed).length > 0)
        await plan.run({ import_id: file.import_id, mapping: mappingOf(file), values })
      goTo('check')
    } catch {
      // Shown below.
    }
  }
  return (
    <section>
      <StepHead
        title={t('leadImport.valuesTitle')}
        hint={columns.length > 0 ? t('leadImport.valuesHint') : t('leadImport.noValues')}
      >
        <Button size="sm" variant="default" onClick={() => goTo('columns')}>
          {t('leadImport.backToColumns')}
        </Button>
        <Button size="sm" loading={plan.isRunning} onClick={() => void next()}>
          {t('leadImport.toCheck')}
        </Button>
      </StepHead>
      {plan.error && <ErrorNotice error={plan.error} />}
      <Stack mt="xs">
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
  // Values without a meaning come first, then guessed ones.
  const rank = ({ is_known, guessed }: FoundValue) => (is_known ? (guessed ? 1 : 2) : 0)
  const sorted = list.toSorted((a, b) => rank(a) - rank(b))
  const waiting = list.filter((value) => rank(value) < 2).length
  const shown = isWhole ? sorted : sorted.slice(0, Math.max(few, waiting))
  const title = t('leadImport.valuesOf', { header, column: columnName(column) })
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <div className={`${classes.card} ${classes.columns}`}>
        <div className={classes.head}>
          <span>{t('leadImport.value')}</span>
          <span>{t('leadImport.recognisedAs')}</span>
          <span>{t('leadImport.importAs')}</span>
          <span>{t('fields.rows')}</span>
        </div>
        {shown.map((each) => {
          const name = found.kind === 'day_order' ? t('leadImport.eitherDay') : each.value
          return (
            <fieldset key={each.value} className={classes.line} aria-label={name}>
              <div>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <div>
                  <RecognisedValue kind={found.kind} found={each} />
                </div>
                <MeaningField
                  label={t('leadImport.importValueAs', { value: each.value })}
                  kind={found.kind}
                  found={each}
                  meaning={meaningOf(each)}
                  onChange={(meaning) => onChange(each, meaning)}
                />
                <span className={classes.samples}>{t('leadImport.rowsAre', { count: each.rows })}</span>
              </div>
            </fieldset>
          )
        })}
      </div>
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

/** The current meaning of a value. */
function RecognisedValue({ kind, found }: { kind: FoundColumn['kind']; found: FoundValue }) {
  const { t } = useTranslation()
  const { understood, is_known, stands_for, guessed, confidence, value } = found
  if (stands_for === '') return <StateBadge meaning="ended" label={t('leadImport.empty')} />
  if (kind === 'country') return is_known ? `+${understood}` : t('leadImport.looksLikeCode', { code: value })
  if (kind === 'day_order')
    return is_known ? t(understood === 'day_first' ? 'leadImport.dayFirst' : 'leadImport.monthFirst') : '?'
  if (!is_known) return <StateBadge meaning="refused" label={t('leadImport.unknown')} />
  if (guessed)
    return (
      <Group gap="xs">
        {understood}
        <StateBadge meaning="soon" label={t('leadImport.guess', { confidence })} />
      </Group>
    )
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
  const asWritten = { value: found.value, label: t('leadImport.keepAsWritten', { value: found.value }) }
  const options = {
    owner: advisers,
    course: found.is_known ? courses : [...courses, asWritten],
    yes_no: yesOrNo,
    tag: useTagGroupOptions(),
    country: [{ value: found.value, label: t('leadImport.useCode', { code: found.value }) }],
    day_order: [
      { value: 'day_first', label: t('leadImport.dayFirst') },
      { value: 'month_first', label: t('leadImport.monthFirst') },
    ],
    text: [],
  }[kind]
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
