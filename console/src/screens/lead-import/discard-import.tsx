import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../calls/call.ts'
import { Icon } from '../../parts/icon.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** Discards a file and returns to the list. */
export function DiscardImport({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => setAsking(true)}
      >
        {t('leadImport.discard')}
      </Button>
      {isAsking && (
        <PreviewDialog
          title={t('leadImport.discard')}
          isDestructive
          onClose={() => setAsking(false)}
          act={async () => {
            // Not useAction, which would refetch this file after it is gone.
            await call('discardLeadFile', { import_id: file.import_id })
            await navigate({ to: '/leads/import' })
            return { said: t('leadImport.discarded', { name: file.file_name }) }
          }}
        >
          <Text size="sm">{t('leadImport.discardWill')}</Text>
        </PreviewDialog>
      )}
    </>
  )
}
