import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A figure that links to its rows. */
export function FigureLink({
  search,
  children,
}: {
  search: Record<string, string | undefined>
  children: ReactNode
}) {
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to="/reports" search={search as never} />}>
      {children}
    </Anchor>
  )
}
