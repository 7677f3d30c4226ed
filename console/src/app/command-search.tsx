import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import { modifierKey } from './keys.ts'

let isLoaded = false
const CommandDialog = lazy(async () => {
  const { CommandDialog } = await import('./command-dialog.tsx')
  isLoaded = true
  return { default: CommandDialog }
})

/** The search field of the header, and ⌘K in every field: open a dialog that is loaded then. */
export function CommandSearch() {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(0)
  const [typed, setTyped] = useState('')
  const [isEarly, setEarly] = useState(false)
  const open = () => {
    setAsked((times) => times + 1)
    setEarly(!document.activeElement?.matches('[data-command-search]'))
  }
  const cancel = () => {
    setEarly(false)
    setTyped('')
    if (!isLoaded) setAsked(0)
  }
  useEarlyKeys(isEarly, setTyped, cancel)
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        c="dimmed"
        fw={400}
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">{`${modifierKey()}K`}</Kbd>}
        onClick={open}
        visibleFrom="sm"
      >
        {t('frame.search')}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={t('frame.search')} onClick={open} hiddenFrom="sm">
        <Icon name="search" />
      </ActionIcon>
      {asked > 0 && (
        <Suspense>
          <CommandDialog {...{ asked, typed, setTyped }} onReady={() => setEarly(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Collects what is typed before the field of the dialog has the focus: its code may still be loading. */
function useEarlyKeys(isEarly: boolean, type: Dispatch<SetStateAction<string>>, cancel: () => void): void {
  useEffect(() => {
    if (!isEarly) return
    const note = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      const isText = key.length === 1
      if (isText) type((text) => text + key)
      else if (key === 'Backspace') type((text) => text.slice(0, -1))
      else if (key === 'Escape') cancel()
      // Neither the field that had the focus nor the keys of the screen get them.
      if (isText || key === 'Backspace' || key === 'Enter') {
        event.preventDefault()
        event.stopPropagation()
      }
    }
    window.addEventListener('keydown', note, { capture: true })
    return () => window.removeEventListener('keydown', note, { capture: true })
  })
}
