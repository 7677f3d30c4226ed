import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { AgeingNumbers } from './ageing-numbers.tsx'
import { FunnelNumbers } from './funnel-numbers.tsx'
import { ReceiptsNumbers } from './receipts-numbers.tsx'

/** The school in figures, each of which opens the rows that it is the sum of. */
export function NumbersScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const money = [
    { name: 'receipts', label: t('numbers.receipts'), content: () => <ReceiptsNumbers /> },
    { name: 'ageing', label: t('numbers.ageing'), content: () => <AgeingNumbers /> },
  ]
  return (
    <>
      <ScreenHead title={t('numbers.title')} />
      <ScreenTabs
        tabs={[
          { name: 'funnel', label: t('numbers.funnel'), content: () => <FunnelNumbers /> },
          ...(can('finance') ? money : []),
        ]}
      />
    </>
  )
}
