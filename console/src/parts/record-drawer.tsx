import { ActionIcon, Button, Drawer, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyLink } from './copy-link.tsx'
import { Icon, type IconName } from './icon.tsx'
import classes from './record-drawer.module.css'
import { useReturnedFocus } from './use-returned-focus.ts'
import { isNothingFocused, useScreenKeys } from './use-screen-keys.ts'
import { useTabTitle } from './use-tab-title.ts'

interface RecordDrawerProps {
  screen: 'people' | 'orders'
  id: string
  /** Accessible name; the record shows it as its heading. */
  name: string
  onClose(): void
  /** Absent: there is no next record. */
  onNext?: (() => void) | undefined
  onPrevious?: (() => void) | undefined
  size?: string
  children: ReactNode
}

/** The header of the console stays usable. */
const belowHeader = { top: 'var(--app-shell-header-height, 3rem)' }

/** A record beside its list, which stays usable. J and K open the next and the previous record, Enter its page. */
export function RecordDrawer({
  screen,
  id,
  name,
  onClose,
  onNext,
  onPrevious,
  size = '36rem',
  children,
}: RecordDrawerProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const openPage = () => void navigate({ to: `/${screen}/$id`, params: { id } })
  useReturnedFocus()
  useTabTitle(name, 'record')
  useScreenKeys([
    ['j', () => onNext?.()],
    ['k', () => onPrevious?.()],
    ['Escape', onClose],
    ['Enter', () => isNothingFocused() && openPage()],
  ])
  const button = (label: string, icon: IconName, act: (() => void) | undefined) => (
    <ActionIcon variant="subtle" color="gray" disabled={!act} onClick={act} aria-label={label}>
      <Icon name={icon} />
    </ActionIcon>
  )
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={size}
      trapFocus={false}
      lockScroll={false}
      closeOnEscape={false}
      zIndex={150}
      classNames={{ content: classes.content }}
      styles={{ inner: belowHeader }}
    >
      <Drawer.Content data-record aria-label={name}>
        <Drawer.Header py={6} mih={0}>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={openPage}
            rightSection={<Icon name="right" size={14} />}
          >
            {t('record.openPage')}
          </Button>
          <Group gap={4} wrap="nowrap">
            <CopyLink screen={screen} id={id} />
            {button(t('common.previous'), 'up', onPrevious)}
            {button(t('common.next'), 'down', onNext)}
            {button(t('common.close'), 'close', onClose)}
          </Group>
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
