import {
  Button,
  Fieldset,
  Group,
  NumberInput,
  Pill,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { usePoolName } from '../../parts/use-advisers.ts'
import { useStoredForm } from '../../parts/use-stored-form.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { CounsellorRules } from './counsellor-rules.tsx'
import { IssuerForm } from './issuer-form.tsx'
import { LimitRequests, RefundLimits } from './refund-limits.tsx'
import { UsagePanel } from './usage-panel.tsx'

type School = DataOf<'fetchOrganization'>

const rules = ['most_held', 'most_per_day', 'hold_off_days', 'idle_days', 'reveals_per_hour'] as const

export function SchoolTab() {
  const { data, error } = useCall('fetchOrganization', {})
  // A failed refetch must not discard input.
  if (!data) return error ? <ErrorNotice error={error} /> : <Waiting shape="form" />
  return (
    <Stack>
      <LimitRequests />
      <SchoolForm school={data} />
      <IssuerForm />
      <RefundLimits />
      <UsagePanel />
    </Stack>
  )
}

function SchoolForm({ school }: { school: School }) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('updateOrganization')
  const poolName = usePoolName()
  const { wanted, edits, isEdited, edit, discard, accept } = useStoredForm('fetchOrganization', school)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await run(inputOf(edits)).catch(() => undefined)
    if (!saved) return
    accept(edits, saved)
    const names = Object.keys(edits) as (keyof School)[]
    const before = Object.fromEntries(names.map((name) => [name, school[name]]))
    sayDone({ said: t('settings.saved'), undo: () => run(inputOf(before)) })
  }
  return (
    <form onSubmit={submit}>
      <Stack maw="40rem">
        <Fieldset legend={t('settings.school')}>
          <Stack>
            <TextInput
              label={t('fields.name')}
              value={wanted.name}
              onChange={(event) => edit({ name: event.currentTarget.value })}
              required
            />
            <SimpleGrid cols={{ base: 2, xs: 3 }}>
              <TextInput label={t('settings.timeZone')} value={wanted.time_zone} readOnly variant="filled" />
              <TextInput label={t('fields.currency')} value={wanted.currency} readOnly variant="filled" />
              <TextInput
                label={t('settings.country')}
                value={wanted.country}
                maxLength={2}
                onChange={(event) => edit({ country: event.currentTarget.value.toUpperCase() })}
                required
              />
            </SimpleGrid>
            <Hint size="xs">{t('settings.commandLineHint')}</Hint>
            <TagsInput
              label={t('settings.pools')}
              description={t('settings.poolsHint')}
              value={wanted.pools}
              onChange={(pools) => edit({ pools })}
              renderPill={({ option, onRemove }) => (
                <Pill withRemoveButton onRemove={onRemove}>
                  {poolName(String(option.value))}
                </Pill>
              )}
            />
            <NumberInput
              label={t('settings.eventDays')}
              description={t('settings.eventDaysHint')}
              value={wanted.event_days}
              onChange={(value) => typeof value === 'number' && edit({ event_days: value })}
              min={7}
              max={730}
              allowDecimal={false}
              hideControls
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('settings.rules')}>
          <Stack>
            {rules.map((rule) => (
              <NumberInput
                key={rule}
                label={t(`settings.rule.${rule}`)}
                placeholder={t('settings.noLimit')}
                value={wanted[rule] ?? ''}
                onChange={(value) => edit({ [rule]: typeof value === 'number' ? value : null })}
                min={1}
                allowDecimal={false}
                allowNegative={false}
                hideControls
              />
            ))}
          </Stack>
        </Fieldset>
        <CounsellorRules rules={wanted} onChange={edit} />
        {error && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={isRunning} disabled={!isEdited}>
            {t('common.save')}
          </Button>
          {isEdited && (
            <Button variant="default" onClick={discard}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** 0 removes a rule. */
function inputOf(edits: Partial<School>): InputOf<'updateOrganization'> {
  return Object.fromEntries(Object.entries(edits).map(([name, value]) => [name, value ?? 0]))
}
