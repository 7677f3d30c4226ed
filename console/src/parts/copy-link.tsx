import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import { sayDone } from './preview-dialog.tsx'
import { useRecordCommands } from './record-commands.ts'
import { useScreenKeys } from './use-screen-keys.ts'

interface CopyLinkProps {
  screen: 'people' | 'orders'
  id: string
}

/** Copies the address of the page of a record; C does the same. */
export function CopyLink({ screen, id }: CopyLinkProps) {
  const { t } = useTranslation()
  const label = t('record.copyLink')
  const copy = async () => {
    const link = `${window.location.origin}/${screen}/${id}`
    try {
      await navigator.clipboard.writeText(link)
      sayDone({ said: t('record.linkCopied') })
    } catch {
      // Browsers refuse without HTTPS, or if the reader does.
      notifications.show({
        color: 'red',
        message: t('record.linkNotCopied', { link }),
        autoClose: false,
        closeButtonProps: { 'aria-label': t('common.close') },
      })
    }
  }
  useScreenKeys([['c', () => void copy()]])
  useRecordCommands([{ id: 'copyLink', label, icon: 'link', keys: 'C', run: () => void copy() }])
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={() => void copy()}
      aria-label={label}
      title={`${label} (C)`}
    >
      <Icon name="link" />
    </ActionIcon>
  )
}
