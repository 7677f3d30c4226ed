import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** Whether a dialog is open, which takes all keys. A record beside its list is no dialog. */
export const isDialogOpen = () => document.querySelector('[aria-modal="true"]:not([data-record])') !== null

/** Whether no control has the focus. A scrolling list is not a control. */
export const isNothingFocused = () =>
  document.activeElement === document.body ||
  document.activeElement?.matches('section[tabindex="0"]') === true

// Checked in the capture phase: the dialog may close before the screen receives the key.
let isForDialog = false
window.addEventListener('keydown', () => (isForDialog = isDialogOpen()), { capture: true })

/** Keyboard shortcuts of a screen. They are inactive while a dialog is open. */
export function useScreenKeys(keys: [key: string, act: (event: KeyboardEvent) => void][]): void {
  const heard = keys.map(([key, act]): HotkeyItem => {
    const hear = (event: KeyboardEvent) => {
      if (isForDialog) return
      // Enter must still press the focused button.
      if (key !== 'Enter') event.preventDefault()
      act(event)
    }
    return [key, hear, { preventDefault: false }]
  })
  useHotkeys(heard)
}
