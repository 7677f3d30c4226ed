import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from './error-notice.tsx'

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
          <Button size="compact-sm" variant="subtle" loading={isUndoing} onClick={undo}>
            {t('common.undo')}
          </Button>
        )}
      </Group>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
