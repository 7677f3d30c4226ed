import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Hint } from './hint.tsx'

/** The title line of a screen, with a count and buttons. */
export function ScreenHead({
  title,
  count,
  children,
}: {
  title: string
  count?: ReactNode
  children?: ReactNode
}) {
  return (
    <Group justify="space-between" mb="sm" mih={30}>
      <Group gap="sm" align="baseline">
        <Title order={1}>{title}</Title>
        {count !== undefined && <Hint>{count}</Hint>}
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
