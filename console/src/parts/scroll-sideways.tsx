import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

interface ScrollSidewaysProps {
  minWidth: number
  /** Of figures and short words: no cell is broken into lines. */
  keepsLines?: boolean
  children: ReactNode
}

/** Something wide on a narrow page: it scrolls by itself, by keys too. */
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
