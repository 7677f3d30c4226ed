import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { ListAddress } from './use-list-address.ts'

/** A filter that is typed: what stands in its field, and what takes another text. The address has it a moment later, trimmed. */
export function useTypedFilter(address: ListAddress, name: string): [string, (text: string) => void] {
  const shown = address.search[name] ?? ''
  const [typed, setTyped] = useState(shown)
  const sent = useRef(shown)
  const send = useDebouncedCallback((text: string) => {
    sent.current = text
    address.setFilters({ [name]: text || undefined }, 'replace')
  }, 250)
  // Somebody went back, or cleared the filters; what was typed here comes back as well, and stays as it was typed.
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
