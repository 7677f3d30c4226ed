import { Button, Fieldset, Group, NumberInput, Pill, Stack, TagsInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { usePoolName } from '../../parts/use-advisers.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { CounsellorRules } from './counsellor-rules.tsx'
import { IssuerForm } from './issuer-form.tsx'
import { LimitRequests, RefundLimits } from './refund-limits.tsx'
import { UsagePanel } from './usage-panel.tsx'

type School = DataOf<'fetchOrganization'>

const counsellorRules = ['counsellor_discount_basis_points', 'counsellors_record_payments'] as const
const rules = ['most_held', 'most_per_day', 'hold_off_days', 'idle_days', 'reveals_per_hour'] as const

export function SchoolTab() {
  const { data, error } = useCall('fetchOrganization', {})
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Waiting shape="form" />
  return (
    <Stack>
      <LimitRequests />
      <SchoolForm key={JSON.stringify(data)} school={data} />
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
  const [wanted, setWanted] = useState(school)
  const changes = changesOf(school, wanted)
  const isChanged = Object.keys(changes).length > 0

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await run(changes).catch(() => undefined)
    if (!saved) return
    sayDone({ said: t('settings.saved'), undo: () => run(changesOf(saved, school)) })
  }
  return (
    <form onSubmit={submit}>
      <Stack maw="40rem">
        <Fieldset legend={t('settings.school')}>
          <Stack>
            <TextInput
              label={t('fields.name')}
              value={wanted.name}
              onChange={(event) => setWanted({ ...wanted, name: event.currentTarget.value })}
              required
            />
            <Group grow align="flex-start">
              <TextInput label={t('settings.timeZone')} value={wanted.time_zone} readOnly variant="filled" />
              <TextInput label={t('fields.currency')} value={wanted.currency} readOnly variant="filled" />
              <TextInput
                label={t('settings.country')}
                value={wanted.country}
                maxLength={2}
                onChange={(event) =>
                  setWanted({ ...wanted, country: event.currentTarget.value.toUpperCase() })
                }
                required
              />
            </Group>
            <Hint size="xs">{t('settings.commandLineHint')}</Hint>
            <TagsInput
              label={t('settings.pools')}
              description={t('settings.poolsHint')}
              value={wanted.pools}
              onChange={(pools) => setWanted({ ...wanted, pools })}
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
              onChange={(value) => typeof value === 'number' && setWanted({ ...wanted, event_days: value })}
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
                onChange={(value) =>
                  setWanted({ ...wanted, [rule]: typeof value === 'number' ? value : null })
                }
                min={1}
                allowDecimal={false}
                allowNegative={false}
                hideControls
              />
            ))}
          </Stack>
        </Fieldset>
        <CounsellorRules rules={wanted} onChange={(changed) => setWanted({ ...wanted, ...changed })} />
        {error && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={isRunning} disabled={!isChanged}>
            {t('common.save')}
          </Button>
          {isChanged && (
            <Button variant="default" onClick={() => setWanted(school)}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** The changed members; 0 removes a rule. */
function changesOf(before: School, after: School) {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.country !== before.country && { country: after.country }),
    ...(after.event_days !== before.event_days && { event_days: after.event_days }),
    ...(after.pools.join('\n') !== before.pools.join('\n') && { pools: after.pools }),
    ...Object.fromEntries(
      counsellorRules.filter((rule) => after[rule] !== before[rule]).map((rule) => [rule, after[rule]]),
    ),
    ...Object.fromEntries(
      rules.filter((rule) => after[rule] !== before[rule]).map((rule) => [rule, after[rule] ?? 0]),
    ),
  }
}
