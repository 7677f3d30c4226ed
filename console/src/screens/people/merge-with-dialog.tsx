import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { PersonPicker } from './person-picker.tsx'

/** Chooses the other record of a person, then compares both. */
export function MergeWithDialog({ user_id, onClose }: { user_id: string; onClose(): void }) {
  const { t } = useTranslation()
  useReturnedFocus()
  const [other, setOther] = useState<string | null>(null)
  const [isComparing, setComparing] = useState(false)
  if (isComparing && other) return <MergeDialog userIds={[user_id, other]} onClose={onClose} />
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('leads.merge')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack align="stretch">
        <Text size="sm">{t('record.mergeHint')}</Text>
        <PersonPicker value={other} onChange={setOther} except={user_id} />
        <Button onClick={() => setComparing(true)} disabled={other === null}>
          {t('record.compare')}
        </Button>
      </Stack>
    </Modal>
  )
}
