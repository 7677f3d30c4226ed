import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { NoPermission } from '../../parts/error-notice.tsx'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { CashUpPanel } from '../cash-up/cash-up-panel.tsx'
import { AgeingTab } from './ageing-tab.tsx'
import { ApprovalsTab } from './approvals-tab.tsx'
import { ClosingTab } from './closing-tab.tsx'
import { DocumentsTab } from './documents-tab.tsx'
import { ExportsTab } from './exports-tab.tsx'
import { MatchingTab } from './matching-tab.tsx'
import { PayersTab } from './payers-tab.tsx'
import { PaymentsTab } from './payments-tab.tsx'
import { UnallocatedTab } from './unallocated-tab.tsx'

/** The screen of the finance office. */
export function FinanceScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  if (!can('finance'))
    return (
      <>
        <ScreenHead title={t('frame.finance')} />
        <NoPermission />
      </>
    )
  return (
    <>
      <ScreenHead title={t('frame.finance')} />
      <ScreenTabs
        tabs={[
          { name: 'receipts', label: t('finance.payments'), content: () => <PaymentsTab /> },
          { name: 'unallocated', label: t('finance.unallocated'), content: () => <UnallocatedTab /> },
          { name: 'payers', label: t('payers.title'), content: () => <PayersTab /> },
          { name: 'documents', label: t('documents.title'), content: () => <DocumentsTab /> },
          { name: 'approvals', label: t('approvals.title'), content: () => <ApprovalsTab /> },
          { name: 'ageing', label: t('finance.ageing'), content: () => <AgeingTab /> },
          { name: 'cash-up', label: t('cashUp.title'), content: () => <CashUpPanel /> },
          { name: 'closing', label: t('finance.closing'), content: () => <ClosingTab /> },
          { name: 'matching', label: t('finance.matching'), content: () => <MatchingTab /> },
          { name: 'exports', label: t('finance.exports'), content: () => <ExportsTab /> },
        ]}
      />
    </>
  )
}
