import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isDialogOpen, useScreenKeys } from '../parts/use-screen-keys.ts'

/** The list of keyboard shortcuts, opened by `?`. */
export function KeyHelp() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure(false)
  useGoKeys()
  useScreenKeys([['shift+?', open]])
  const keys: [string, string][] = [
    [`${modifierKey()}K`, t('frame.search')],
    ['/', t('keys.filter')],
    ['J', t('keys.next')],
    ['K', t('keys.previous')],
    ['Enter', t('keys.open')],
    ['X', t('keys.select')],
    ['Esc', t('keys.close')],
    ...Object.entries(goKeys).map(([key, name]): [string, string] => [
      `G ${key.toUpperCase()}`,
      t('keys.go', { place: t(`frame.${name}`) }),
    ]),
    ['?', t('keys.help')],
  ]
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Table>
        <Table.Tbody>
          {keys.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Td w="7rem">
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

/** Shortcuts: G, then the letter of a screen. */
const goKeys = {
  t: 'today',
  p: 'people',
  l: 'leads',
  o: 'orders',
  f: 'finance',
  r: 'reports',
} as const

const patienceMs = 1500

function useGoKeys(): void {
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

/** The modifier of shortcuts, as the keyboard labels it. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl '
}
