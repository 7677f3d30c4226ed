import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { isDialogOpen, useScreenKeys } from '../parts/use-screen-keys.ts'
import { addKeys, addPlaces, goKeys } from './keys.ts'
import { useSession } from './session.tsx'

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }))

/** The shortcuts of the frame; `?` opens their list. */
export function KeyHelp() {
  const [isOpen, { open, close }] = useDisclosure(false)
  useGoKeys()
  useScreenKeys([['shift+?', open]])
  return <Suspense>{isOpen && <KeyList close={close} />}</Suspense>
}

const patienceMs = 1500

function useGoKeys(): void {
  const navigate = useNavigate()
  const { can } = useSession()
  useEffect(() => {
    let pressed = { key: '', at: Number.NEGATIVE_INFINITY }
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
      const key = event.key.toLowerCase()
      const lead = event.timeStamp - pressed.at < patienceMs ? pressed.key : ''
      const place = goKeys[key as keyof typeof goKeys]
      const task = addKeys[key as keyof typeof addKeys]
      const isGoing = lead === 'g' && place !== undefined
      const isAdding = lead === 'n' && task !== undefined && can('write')
      if (isGoing || isAdding) {
        event.preventDefault()
        event.stopImmediatePropagation()
        void (isGoing
          ? navigate({ to: `/${place}` })
          : navigate({ to: addPlaces[task], search: { do: 'add' } as never }))
      }
      pressed = { key: isGoing || isAdding ? '' : key, at: event.timeStamp }
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [navigate, can])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(input|textarea|select)$/i.test(target.tagName) || target.isContentEditable)
  )
}
