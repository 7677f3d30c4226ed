import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface EmptyStateProps {
  /** Says what the list would contain. */
  text: string
  icon?: IconName
  /** A button or link that adds the first record. */
  children?: ReactNode
}

/** Shown in place of an empty list. */
export function EmptyState({ text, icon = 'info', children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" c="dimmed">
      <Icon name={icon} size={28} />
      <Text size="sm">{text}</Text>
      {children}
    </Stack>
  )
}
