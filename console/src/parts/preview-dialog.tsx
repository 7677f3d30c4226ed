import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from './error-notice.tsx'
import { type Done, sayDone } from './say-done.tsx'

interface PreviewDialogProps {
  title: string
  /** The fields, and below them the preview. */
  children: ReactNode
  /** Names the action, such as "Refund 300.00", never "OK". Default: the title. */
  confirmLabel?: string
  /** True while a field is missing or the preview is loading. */
  isIncomplete?: boolean
  /** The action removes money, people or access. */
  isDestructive?: boolean
  onClose(): void
  /** Runs the action and reports it. If it throws, the dialog shows the error and keeps its fields. */
  act(): Promise<Done>
  size?: string
}

/** The dialog of an action: shows its effect, runs it and reports the result. */
export function PreviewDialog({
  title,
  children,
  confirmLabel,
  isIncomplete = false,
  isDestructive = false,
  onClose,
  act,
  size = 'md',
}: PreviewDialogProps) {
  const { t } = useTranslation()
  const [isActing, setActing] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // React would also submit a form around the dialog.
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
              color={isDestructive ? 'red' : undefined}
              loading={isActing}
              disabled={isIncomplete}
            >
              {confirmLabel ?? title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
