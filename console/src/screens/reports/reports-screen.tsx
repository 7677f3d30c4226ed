import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { AgeingReport } from './ageing-report.tsx'
import { FunnelReport } from './funnel-report.tsx'
import { ReceiptsReport } from './receipts-report.tsx'

/** Reports. Every figure opens its rows. */
export function ReportsScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const money = [
    { name: 'receipts', label: t('reports.receipts'), content: () => <ReceiptsReport /> },
    { name: 'ageing', label: t('finance.ageing'), content: () => <AgeingReport /> },
  ]
  return (
    <>
      <ScreenHead title={t('frame.reports')} />
      {!can('finance') && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('reports.noMoney')}
        </Text>
      )}
      <ScreenTabs
        tabs={[
          { name: 'funnel', label: t('reports.funnel'), content: () => <FunnelReport /> },
          ...(can('finance') ? money : []),
        ]}
      />
    </>
  )
}
