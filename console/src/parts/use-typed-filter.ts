import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { ListAddress } from './use-list-address.ts'

/** The text of a search field and its setter. The address follows after a short delay, trimmed. */
export function useTypedFilter(address: ListAddress, name: string): [string, (text: string) => void] {
  const shown = address.search[name] ?? ''
  const [typed, setTyped] = useState(shown)
  const sent = useRef(shown)
  const send = useDebouncedCallback((text: string) => {
    sent.current = text
    address.setFilters({ [name]: text || undefined }, 'replace')
  }, 250)
  // Follows the address when the person goes back or clears the filters, but not its own delayed change.
  useEffect(() => {
    if (shown === sent.current) return
    sent.current = shown
    setTyped(shown)
  }, [shown])
  const type = (text: string) => {
    setTyped(text)
    send(text.trim())
  }
  return [typed, type]
}
