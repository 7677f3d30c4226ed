import { Checkbox, Group, NumberInput, Radio, Stack, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import type { ApiAccount } from './accounts-tab.tsx'

const permissions = ['read', 'write', 'finance'] as const
const timeStampRules = ['any', 'recent', 'once'] as const satisfies ApiAccount['time_stamps'][]

/** The values of the form. */
export interface WantedAccount {
  permissions: string[]
  /** 0: no limit. */
  rate_limit_per_minute: number
  /** "": never. */
  expires_on: string
  allowed_networks: string[]
  time_stamps: ApiAccount['time_stamps']
  signs_money: boolean
}

export const newAccount: WantedAccount = {
  permissions: ['read', 'write'],
  rate_limit_per_minute: 60_000,
  expires_on: '',
  allowed_networks: [],
  time_stamps: 'any',
  signs_money: false,
}

export function wantedOf(account: ApiAccount): WantedAccount {
  const { allowed_networks, time_stamps, signs_money } = account
  return {
    permissions: account.permissions.filter((each) => permissions.some((known) => known === each)),
    rate_limit_per_minute: account.rate_limit_per_minute ?? 0,
    expires_on: lastDayOf(account.expires_at),
    ...{ allowed_networks, time_stamps, signs_money },
  }
}

type AccountChanges = Pick<InputOf<'updateApiAccount'>, keyof WantedAccount>

/** The changed members. */
export function changesOf(before: WantedAccount | undefined, after: WantedAccount): AccountChanges {
  const names = Object.keys(after) as (keyof WantedAccount)[]
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]))
  const sent = { ...after, expires_on: after.expires_on || 'never' }
  return Object.fromEntries(changed.map((name) => [name, sent[name]])) as AccountChanges
}

/** The last day before an end, which is the start of the next day. */
export function lastDayOf(end: string): string {
  if (end === '') return ''
  const last = new Date(`${end.replace(' ', 'T')}Z`).getTime() - 1000
  return new Date(last).toISOString().slice(0, 10)
}

interface AccountSettingsProps {
  wanted: WantedAccount
  onChange(wanted: WantedAccount): void
}

export function AccountSettings({ wanted, onChange }: AccountSettingsProps) {
  const { t } = useTranslation()
  const change = (changes: Partial<WantedAccount>) => onChange({ ...wanted, ...changes })
  return (
    <Stack>
      <Checkbox.Group
        label={t('settings.permissions')}
        value={wanted.permissions}
        onChange={(chosen) => change({ permissions: permissions.filter((each) => chosen.includes(each)) })}
      >
        <Group mt={4}>
          {permissions.map((each) => (
            <Checkbox key={each} value={each} label={t(`settings.permission.${each}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group grow align="flex-start">
        <NumberInput
          label={t('settings.perMinute')}
          placeholder={t('settings.noLimit')}
          value={wanted.rate_limit_per_minute || ''}
          onChange={(value) => change({ rate_limit_per_minute: Number(value) || 0 })}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
        <DateField
          leaning="later"
          label={t('settings.accountExpires')}
          value={wanted.expires_on}
          onChange={(expires_on) => change({ expires_on })}
        />
      </Group>
      <TagsInput
        label={t('settings.networks')}
        description={t('settings.networksHint')}
        placeholder={wanted.allowed_networks.length === 0 ? '203.0.113.0/24' : undefined}
        value={wanted.allowed_networks}
        onChange={(allowed_networks) => change({ allowed_networks })}
      />
      <Radio.Group
        label={t('settings.timeStamps')}
        value={wanted.time_stamps}
        onChange={(chosen) => change({ time_stamps: chosen as ApiAccount['time_stamps'] })}
      >
        <Stack gap="xs" mt={4}>
          {timeStampRules.map((rule) => (
            <Radio
              key={rule}
              value={rule}
              label={t(`settings.timeStampRule.${rule}`)}
              description={t(`settings.timeStampHint.${rule}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label={t('settings.signsMoney')}
        description={t('settings.signsMoneyHint')}
        checked={wanted.signs_money}
        onChange={(event) => change({ signs_money: event.currentTarget.checked })}
      />
    </Stack>
  )
}
