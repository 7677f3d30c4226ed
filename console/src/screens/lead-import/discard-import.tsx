import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** Discards a file and returns to the list. */
export function DiscardImport({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <ConfirmedButton
      label={t('leadImport.discard')}
      text={t('leadImport.discardWill')}
      leftSection={<Icon name="trash" size={14} />}
      act={async () => {
        // Not useAction, which would refetch this file after it is gone.
        await call('discardLeadFile', { import_id: file.import_id })
        await navigate({ to: '/leads/import' })
        return { said: t('leadImport.discarded', { name: file.file_name }) }
      }}
    />
  )
}
