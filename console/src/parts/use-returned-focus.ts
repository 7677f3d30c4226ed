import { useEffect, useState } from 'react'

/**
 * Returns the focus to the control that opened a dialog, after the dialog has closed. Mantine does so only for dialogs that
 * stay mounted.
 */
export function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The focus trap of the dialog has let go by then. A control that took the focus itself keeps it.
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
      })
    },
    [opener],
  )
}
