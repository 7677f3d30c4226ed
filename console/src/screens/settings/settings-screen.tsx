import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { NoPermission } from '../../parts/error-notice.tsx'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { AccountsTab } from './accounts-tab.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { PrivacyTab } from './privacy-tab.tsx'
import { SchoolTab } from './school-tab.tsx'
import { SignInTab } from './sign-in-tab.tsx'
import { StaffTab } from './staff-tab.tsx'
import { SupportTab } from './support-tab.tsx'
import { WebhooksTab } from './webhooks-tab.tsx'

/** The settings of administrators. */
export function SettingsScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  return (
    <>
      <ScreenHead title={t('frame.settings')} />
      {can('admin') ? (
        <ScreenTabs
          tabs={[
            { name: 'school', label: t('settings.school'), content: () => <SchoolTab /> },
            { name: 'staff', label: t('settings.staff'), content: () => <StaffTab /> },
            { name: 'sign-in', label: t('provider.tab'), content: () => <SignInTab /> },
            { name: 'accounts', label: t('settings.accounts'), content: () => <AccountsTab /> },
            { name: 'webhooks', label: t('webhooks.title'), content: () => <WebhooksTab /> },
            { name: 'privacy', label: t('privacy.title'), content: () => <PrivacyTab /> },
            { name: 'support', label: t('support.title'), content: () => <SupportTab /> },
            { name: 'activity', label: t('activity.title'), content: () => <ActivityTab /> },
          ]}
        />
      ) : (
        <NoPermission />
      )}
    </>
  )
}
