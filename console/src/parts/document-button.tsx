import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type InputOf, useAction } from '../calls/call.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Icon } from './icon.tsx'

interface DocumentButtonProps {
  /** An issued document, or the payment, order or refund that one is issued for. */
  document: { document_id: string } | InputOf<'issueDocument'>
  label: string
  size?: 'compact-xs' | 'compact-sm'
  variant?: 'subtle' | 'default'
}

type Language = NonNullable<InputOf<'printDocument'>['language']>

/** Opens a document as PDF, and issues it before if it is not issued. The menu beside it prints one language only. */
export function DocumentButton(props: DocumentButtonProps) {
  const { document, label, size = 'compact-xs', variant = 'subtle' } = props
  const { t } = useTranslation()
  const { run } = useAction('issueDocument')
  const [isRunning, setRunning] = useState(false)
  const open = async (language: Language) => {
    // Browsers allow a new tab during the click only.
    const tab = window.open('', '_blank')
    setRunning(true)
    try {
      const { document_id } = 'document_id' in document ? document : await run(document)
      const { download } = await call('printDocument', { document_id, language })
      if (tab) tab.location.replace(download)
    } catch (error) {
      tab?.close()
      notifications.show({
        color: 'red',
        message: <ErrorNotice error={error} />,
        closeButtonProps: { 'aria-label': t('common.close') },
      })
    } finally {
      setRunning(false)
    }
  }
  return (
    <Group gap={0} wrap="nowrap" display="inline-flex">
      <Button size={size} variant={variant} loading={isRunning} onClick={() => void open('both')}>
        {label}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            size={size === 'compact-xs' ? 22 : 26}
            variant={variant}
            aria-label={t('documents.languageOf', { document: label })}
          >
            <Icon name="down" size={12} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(['both', 'en', 'zh'] as const).map((language) => (
            <Menu.Item key={language} onClick={() => void open(language)}>
              {t(`documents.languages.${language}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
