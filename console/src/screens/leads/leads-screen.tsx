import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { AddButton } from '../../parts/add-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { LeadDialog } from '../people/lead-dialog.tsx'
import { DuplicatesTab } from './duplicates-tab.tsx'
import { LeadsTab, PublicPoolTab } from './leads-tab.tsx'

export function LeadsScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ScreenHead title={t('frame.leads')}>
        {can('write') && (
          <>
            <Button
              size="xs"
              variant="default"
              component={Link}
              to="/leads/import"
              leftSection={<Icon name="upload" size={14} />}
            >
              {t('leads.import')}
            </Button>
            <AddButton label={t('leads.add')} onClick={() => setAdding(true)} />
          </>
        )}
      </ScreenHead>
      {isAdding && <LeadDialog title={t('leads.add')} onClose={() => setAdding(false)} />}
      <ScreenTabs
        tabs={[
          { name: 'all', label: t('leads.all'), content: () => <LeadsTab /> },
          { name: 'pool', label: t('people.pools.public'), content: () => <PublicPoolTab /> },
          { name: 'duplicates', label: t('leads.duplicates'), content: () => <DuplicatesTab /> },
        ]}
      />
    </>
  )
}
