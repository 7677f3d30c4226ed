import { useTranslation } from 'react-i18next'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { BatchesTab } from './batches-tab.tsx'
import { CouponsTab } from './coupons-tab.tsx'
import { CoursesTab } from './courses-tab.tsx'
import { TagGroupsTab } from './tag-groups-tab.tsx'

/** Courses, intakes, coupons and tag groups. */
export function OfferingsScreen() {
  const { t } = useTranslation()
  return (
    <>
      <ScreenHead title={t('frame.offerings')} />
      <ScreenTabs
        tabs={[
          { name: 'courses', label: t('offerings.courses'), content: () => <CoursesTab /> },
          { name: 'intakes', label: t('offerings.batches'), content: () => <BatchesTab /> },
          { name: 'coupons', label: t('offerings.coupons'), content: () => <CouponsTab /> },
          { name: 'tags', label: t('offerings.tagGroups'), content: () => <TagGroupsTab /> },
        ]}
      />
    </>
  )
}
