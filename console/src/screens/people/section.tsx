import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A section of a person's record. */
export function Section({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={6} component="section">
      <Group justify="space-between">
        <Title order={3}>{title}</Title>
        {end}
      </Group>
      {children}
    </Stack>
  )
}
