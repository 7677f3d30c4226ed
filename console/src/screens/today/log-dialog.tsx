import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'
import { FollowUpForm } from '../people/person-timeline.tsx'

interface LogDialogProps {
  user_id: string
  name: string
  done(): void
  onClose(): void
}

/** Logs what was said in a call. */
export function LogDialog({ user_id, name, done, onClose }: LogDialogProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  const { corp_id } = useSession().organization
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('today.logFor', { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <FollowUpForm
        person={{ user_id, corp_id }}
        onAdded={() => {
          onClose()
          done()
        }}
      />
    </Modal>
  )
}
