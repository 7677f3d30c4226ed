import { ActionIcon, Button, Drawer, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './icon.tsx'
import classes from './record-drawer.module.css'
import { useReturnedFocus } from './use-returned-focus.ts'
import { isNothingFocused, useScreenKeys } from './use-screen-keys.ts'
import { useTabTitle } from './use-tab-title.ts'

interface RecordDrawerProps {
  /** Accessible name; the record shows it as its heading. */
  name: string
  onClose(): void
  /** Opens the page of the record. Absent: it has none. */
  onOpenPage?: () => void
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
  name,
  onClose,
  onOpenPage,
  onNext,
  onPrevious,
  size = '36rem',
  children,
}: RecordDrawerProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  useTabTitle(name, 'record')
  useScreenKeys([
    ['j', () => onNext?.()],
    ['k', () => onPrevious?.()],
    ['Escape', onClose],
    ['Enter', () => isNothingFocused() && onOpenPage?.()],
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
          {onOpenPage ? (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={onOpenPage}
              rightSection={<Icon name="right" size={14} />}
            >
              {t('record.openPage')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap={4} wrap="nowrap">
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
