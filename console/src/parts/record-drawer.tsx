import { ActionIcon, Drawer, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import { useScreenKeys } from './use-screen-keys.ts'

interface RecordDrawerProps {
  title: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  onClose(): void
  /** Absent: there is no next record. */
  onNext?(): void
  onPrevious?(): void
  size?: string
  children: ReactNode
}

/** A record beside its list, which stays usable. J and K open the next and the previous record. */
export function RecordDrawer({
  title,
  actions,
  onClose,
  onNext,
  onPrevious,
  size = '36rem',
  children,
}: RecordDrawerProps) {
  const { t } = useTranslation()
  useScreenKeys([
    ['j', () => onNext?.()],
    ['k', () => onPrevious?.()],
    ['Escape', onClose],
  ])
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
    >
      <Drawer.Content data-record aria-label={typeof title === 'string' ? title : undefined}>
        <Drawer.Header py="xs" mih={0}>
          <Drawer.Title fw={600} component="div">
            {typeof title === 'string' ? <Text fw={600}>{title}</Text> : title}
          </Drawer.Title>
          <Group gap={4} wrap="nowrap">
            {actions}
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={!onPrevious}
              onClick={onPrevious}
              aria-label={t('common.previous')}
            >
              <Icon name="up" />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={!onNext}
              onClick={onNext}
              aria-label={t('common.next')}
            >
              <Icon name="down" />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t('common.close')}>
              <Icon name="close" />
            </ActionIcon>
          </Group>
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
