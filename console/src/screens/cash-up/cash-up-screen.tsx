import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { AfterHeading } from '../../parts/after-heading.tsx'
import { NoPermission } from '../../parts/error-notice.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import { CashUpPanel } from './cash-up-panel.tsx'

/** The cash-up of the signed-in clerk. */
export function CashUpScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  return (
    <>
      <ScreenHead title={t('cashUp.title')} />
      <AfterHeading>{can('write') ? <CashUpPanel /> : <NoPermission />}</AfterHeading>
    </>
  )
}
