import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

/** Something wide on a narrow page: it scrolls by itself, by keys too. */
export function ScrollSideways({ minWidth, children }: { minWidth: number; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <section tabIndex={0} style={{ overflowX: 'auto', width: '100%' }}>
      <Box miw={minWidth}>{children}</Box>
    </section>
  )
}
