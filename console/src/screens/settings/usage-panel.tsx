import { Fieldset, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Waiting } from '../../parts/waiting.tsx'

const quotas = ['calls_per_day', 'imports_per_day', 'rows', 'bytes'] as const

/** The usage of the school, and the quotas of the operator. */
export function UsagePanel() {
  const { t } = useTranslation()
  const { data, error } = useCall('fetchUsage', {})
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Waiting shape="form" />
  const shown = (name: (typeof quotas)[number], value: number | null) => {
    if (value === null) return t('settings.usage.notMeasured')
    return name === 'bytes'
      ? t('settings.usage.megabytes', { value: Math.ceil(value / 1_000_000) })
      : t('settings.usage.count', { value })
  }
  return (
    <Fieldset legend={t('settings.usage.title')} maw="40rem">
      <Stack>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th ta="right">{t('settings.usage.used')}</Table.Th>
              <Table.Th ta="right">{t('settings.usage.quota')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {quotas.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw="normal">
                  {t(`settings.usage.${name}`)}
                  {data.used_up.includes(name) && (
                    <Text c="red" size="sm">
                      {t('settings.usage.usedUp')}
                    </Text>
                  )}
                </Table.Th>
                <Table.Td ta="right">{shown(name, data.used[name])}</Table.Td>
                <Table.Td ta="right">
                  {data.quotas[name] === null ? t('settings.noLimit') : shown(name, data.quotas[name])}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Hint size="xs">{t('settings.usage.hint')}</Hint>
      </Stack>
    </Fieldset>
  )
}
