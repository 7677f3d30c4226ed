import { Anchor } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/session.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import { ImportUnderWay } from './import-under-way.tsx'
import { ChooseFile, RecentImports } from './recent-imports.tsx'

/** The steps of an import. Its id is in the address, so that closing the page loses nothing. */
export function LeadImportScreen() {
  const { t } = useTranslation()
  const { import: importId } = useSearch({ strict: false }) as Search
  return (
    <>
      {importId ? (
        <>
          <Anchor component={Link} to="/leads/import" size="sm">
            ‹ {t('leadImport.recent')}
          </Anchor>
          <ImportUnderWay key={importId} importId={importId} />
        </>
      ) : (
        <>
          <ScreenHead title={t('leads.import')} />
          <ChooseFile />
          <RecentImports />
        </>
      )}
    </>
  )
}
