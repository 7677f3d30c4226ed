import { Kbd, Modal, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addKeys, goKeys, modifierKey } from './keys.ts'
import { useSession } from './session.tsx'

const addLabels = { addPerson: 'people.add', addLead: 'leads.add', addOrder: 'orders.add' } as const

/** The list of keyboard shortcuts. */
export function KeyList({ close }: { close(): void }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const keys: [string, string][] = [
    [`${modifierKey()}K`, t('frame.search')],
    ['/', t('keys.filter')],
    ['J', t('keys.next')],
    ['K', t('keys.previous')],
    ['Enter', t('keys.open')],
    ['X', t('keys.select')],
    ['Esc', t('keys.close')],
    ['C', t('record.copyLink')],
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
      opened
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
