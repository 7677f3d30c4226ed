import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

interface ScrollSidewaysProps {
  minWidth: number
  /** Cells never wrap. */
  keepsLines?: boolean
  className?: string
  children: ReactNode
}

/** Scrolls wide content horizontally, also by keys. Positioned, so that it also clips texts that only screen readers see. */
export function ScrollSideways({ minWidth, keepsLines = false, className, children }: ScrollSidewaysProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
      tabIndex={0}
      className={className}
      style={{ overflowX: 'auto', width: '100%', position: 'relative' }}
    >
      <Box miw={minWidth} style={keepsLines ? { whiteSpace: 'nowrap' } : undefined}>
        {children}
      </Box>
    </section>
  )
}
