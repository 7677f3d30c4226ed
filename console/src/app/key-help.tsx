import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useScreenKeys } from '../parts/use-screen-keys.ts'
import { modifierKey } from './modifier-key.ts'
import { goKeys, useGoKeys } from './use-go-keys.ts'

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
