import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isDialogOpen } from '../parts/use-screen-keys.ts'

/** Shortcuts: G, then the letter of a screen. */
export const goKeys = {
  t: 'today',
  p: 'people',
  l: 'leads',
  o: 'orders',
  f: 'finance',
  r: 'reports',
} as const

const patienceMs = 1500

export function useGoKeys(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
      const key = event.key.toLowerCase()
      const place = goKeys[key as keyof typeof goKeys]
      if (place && event.timeStamp - pressedAt < patienceMs) {
        event.preventDefault()
        event.stopImmediatePropagation()
        void navigate({ to: `/${place}` })
      }
      pressedAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(input|textarea|select)$/i.test(target.tagName) || target.isContentEditable)
  )
}
