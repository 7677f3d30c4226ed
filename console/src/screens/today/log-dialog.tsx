import { Box, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { DiscardQuestion, useUnsavedInput } from '../../parts/preview-dialog.tsx'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'
import { discardDraft, FollowUpForm } from '../people/person-timeline.tsx'

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
  const { staff, organization } = useSession()
  const person = { user_id, corp_id: organization.corp_id }
  const input = useUnsavedInput(onClose)
  const discard = () => {
    discardDraft(staff.staff_id, person)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={input.close}
      title={t('today.logFor', { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Box mb="sm" onChange={input.note} onClickCapture={input.noteOption} onFocus={input.noteField}>
        <FollowUpForm
          person={person}
          onAdded={() => {
            onClose()
            done()
          }}
        />
      </Box>
      {input.isAsking && <DiscardQuestion keep={input.keep} discard={discard} />}
    </Modal>
  )
}
