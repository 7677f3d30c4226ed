import { Mark } from '@mantine/core'
import type { ReactNode } from 'react'

/** Where a member of a record matches a search. */
interface Match {
  member: string
  start: number
  end: number
}

/** A member of a record, with the places that a search found in it. */
export function MarkedText({
  text,
  member,
  matches = [],
}: {
  text: string
  member: string
  matches?: Match[] | undefined
}) {
  const places = matches.filter((match) => match.member === member).sort((a, b) => a.start - b.start)
  const parts: ReactNode[] = []
  let shown = 0
  for (const { start, end } of places) {
    if (start < shown || end > text.length) continue
    parts.push(text.slice(shown, start), <Mark key={start}>{text.slice(start, end)}</Mark>)
    shown = end
  }
  return <>{[...parts, text.slice(shown)]}</>
}
