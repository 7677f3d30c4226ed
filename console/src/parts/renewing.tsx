import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface RenewingProps {
  /** The content answers an earlier question: other filters, other dates. */
  isStale: boolean
  gap?: 'sm' | 'md'
  children: ReactNode
}

/** Content that stays until its next version arrives: faded, and busy for screen readers. */
export function Renewing({ isStale, gap = 'sm', children }: RenewingProps) {
  return (
    <Stack gap={gap} aria-busy={isStale} data-stale={isStale || undefined}>
      {children}
    </Stack>
  )
}
