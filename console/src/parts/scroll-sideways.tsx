import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

interface ScrollSidewaysProps {
  minWidth: number
  /** Cells never wrap. */
  keepsLines?: boolean
  children: ReactNode
}

/** Scrolls wide content horizontally, also by keys. */
export function ScrollSideways({ minWidth, keepsLines = false, children }: ScrollSidewaysProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <section tabIndex={0} style={{ overflowX: 'auto', width: '100%' }}>
      <Box miw={minWidth} style={keepsLines ? { whiteSpace: 'nowrap' } : undefined}>
        {children}
      </Box>
    </section>
  )
}
