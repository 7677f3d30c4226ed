import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from './error-notice.tsx'
import { type Done, sayDone } from './say-done.tsx'

interface PreviewDialogProps {
  title: string
  /** The fields to fill in, if any, and below them what will happen. */
  children: ReactNode
  /** Names the deed: "Refund 300.00", never "OK". */
  confirmLabel: string
  /** True while something is missing or the preview is still being made. */
  isIncomplete?: boolean
  /** For what takes money or people away. */
  isGrave?: boolean
  onClose(): void
  /** Does it and says what it did; what it throws is shown, and the dialog keeps what was typed. */
  act(): Promise<Done>
  size?: string
}

/** Shows what an action will do, does it, and says what it did. Mount it when it is wanted. */
export function PreviewDialog({
  title,
  children,
  confirmLabel,
  isIncomplete = false,
  isGrave = false,
  onClose,
  act,
  size = 'md',
}: PreviewDialogProps) {
  const { t } = useTranslation()
  const [isActing, setActing] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // React hands it on to a form that the dialog stands in, which would be sent as well.
    event.stopPropagation()
    if (isActing || isIncomplete) return
    setActing(true)
    setError(undefined)
    try {
      const done = await act()
      onClose()
      sayDone(done)
    } catch (failure) {
      setError(failure)
    } finally {
      setActing(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={submit}>
        <Stack>
          {children}
          {error !== undefined && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              color={isGrave ? 'red' : undefined}
              loading={isActing}
              disabled={isIncomplete}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
