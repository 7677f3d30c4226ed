import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import {
  type FocusEvent,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from './error-notice.tsx'
import { useReturnedFocus } from './use-returned-focus.ts'

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
  useReturnedFocus()
  const [isActing, setActing] = useState(false)
  const [error, setError] = useState<unknown>()
  const input = useUnsavedInput(onClose)
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
      onClose={input.close}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {/* Every field of the dialog bubbles to the form, options of lists included. */}
      <form
        onSubmit={submit}
        onChange={input.note}
        onClickCapture={input.noteOption}
        onFocus={input.noteField}
      >
        <Stack>
          {children}
          {error !== undefined && <ErrorNotice error={error} />}
          {/* The keys keep the buttons apart: a button that turns into the submitting one during its click submits. */}
          {input.isAsking ? (
            <DiscardQuestion key="asking" keep={input.keep} discard={onClose} />
          ) : (
            <Group key="acting" justify="flex-end">
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
          )}
        </Stack>
      </form>
    </Modal>
  )
}

/** Asks whether the input of a dialog is discarded. */
export function DiscardQuestion({ keep, discard }: { keep(): void; discard(): void }) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end">
      <Text size="sm" role="alert" flex={1}>
        {t('unsaved.question')}
      </Text>
      <Button variant="default" autoFocus onClick={keep}>
        {t('unsaved.keep')}
      </Button>
      <Button color="red" onClick={discard}>
        {t('unsaved.discard')}
      </Button>
    </Group>
  )
}

/**
 * Asks before Escape, a click beside the dialog, or closing the tab discards input. Cancel does not ask: it is pressed on
 * purpose.
 */
export function useUnsavedInput(onClose: () => void) {
  const [isDirty, setDirty] = useState(false)
  const [isAsking, setAsking] = useState(false)
  /** A click beside the dialog takes its focus. */
  const lastField = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  const keep = () => {
    lastField.current?.focus()
    setAsking(false)
  }
  return {
    isAsking,
    keep,
    close: () => {
      if (!isDirty) onClose()
      else if (isAsking) keep()
      else setAsking(true)
    },
    note: () => setDirty(true),
    noteField: ({ target }: FocusEvent<HTMLElement>) => {
      if (target.matches('input, textarea, select')) lastField.current = target
    },
    noteOption: ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('[role=option]')) setDirty(true)
    },
  }
}

export interface Done {
  /** A sentence that reports what was done. */
  said: string
  /** Reverses it. Absent: it cannot be reversed. */
  undo?(): Promise<unknown>
}

/** Waits for an action, then reports it; false if it fails. The action's `error` has the reason. */
export async function perform<Data>(running: Promise<Data>, done: (data: Data) => Done): Promise<boolean> {
  try {
    sayDone(done(await running))
    return true
  } catch {
    return false
  }
}

/** Reports what was done, with Undo where there is one. */
export function sayDone(done: Done): void {
  const closeButtonProps = { 'aria-label': i18next.t('common.close') }
  const autoClose = done.undo ? 15_000 : 5_000
  const id = notifications.show({ message: null, autoClose, closeButtonProps })
  notifications.update({
    id,
    color: 'green',
    message: <DoneMessage done={done} onUndone={() => notifications.hide(id)} />,
  })
}

function DoneMessage({ done, onUndone }: { done: Done; onUndone(): void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isUndoing, setUndoing] = useState(false)
  const [error, setError] = useState<unknown>()
  const undo = async () => {
    setUndoing(true)
    try {
      await done.undo!()
      await queries.invalidateQueries()
      onUndone()
      sayDone({ said: t('common.undone') })
    } catch (failure) {
      setError(failure)
    } finally {
      setUndoing(false)
    }
  }
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{done.said}</Text>
        {done.undo && (
          <Button flex="none" size="compact-sm" variant="subtle" loading={isUndoing} onClick={undo}>
            {t('common.undo')}
          </Button>
        )}
      </Group>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
