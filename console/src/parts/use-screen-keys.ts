import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

/** Whether something stands above the screen that has the keys to itself; a record beside its list does not. */
export const isDialogOpen = () => document.querySelector('[aria-modal="true"]:not([data-record])') !== null

// Noted before a dialog hears the key: it may be gone by the time that the screen hears it.
let isForDialog = false
window.addEventListener('keydown', () => (isForDialog = isDialogOpen()), { capture: true })

/** Keys of a screen, which a dialog above it keeps from it: they would take away what somebody types there. */
export function useScreenKeys(keys: [key: string, act: (event: KeyboardEvent) => void][]): void {
  const heard = keys.map(([key, act]): HotkeyItem => {
    const hear = (event: KeyboardEvent) => {
      if (isForDialog) return
      // Enter presses the button that has the focus.
      if (key !== 'Enter') event.preventDefault()
      act(event)
    }
    return [key, hear, { preventDefault: false }]
  })
  useHotkeys(heard)
}
