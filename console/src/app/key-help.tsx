import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isDialogOpen, useScreenKeys } from '../parts/use-screen-keys.ts'
import { addKeys, addPlaces, goKeys } from './keys.ts'
import { useSession } from './session.tsx'

const addLabels = { addPerson: 'people.add', addLead: 'leads.add', addOrder: 'orders.add' } as const

/** The list of keyboard shortcuts, opened by `?`. */
export function KeyHelp() {
  const { t } = useTranslation()
  const { can } = useSession()
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
    ...(can('write')
      ? Object.entries(addKeys).map(([key, id]): [string, string] => [
          `N ${key.toUpperCase()}`,
          t(addLabels[id]),
        ])
      : []),
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

/** The modifier of shortcuts, as the keyboard labels it. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl '
}
