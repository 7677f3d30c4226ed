import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface EmptyStateProps {
  /** What would be here. */
  text: string
  icon?: IconName
  /** The way to it: a button or a link. */
  children?: ReactNode
}

/** An empty list says what would be here, and offers the way to it. */
export function EmptyState({ text, icon = 'info', children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" c="dimmed">
      <Icon name={icon} size={28} />
      <Text size="sm">{text}</Text>
      {children}
    </Stack>
  )
}
