import { Badge } from '@mantine/core'

/** What each colour means, everywhere: action, received, soon overdue, overdue or refused, ended. */
export type Meaning = 'action' | 'received' | 'soon' | 'refused' | 'ended'

const colors: Record<Meaning, string> = {
  action: 'blue',
  received: 'green',
  soon: 'yellow',
  refused: 'red',
  ended: 'gray',
}

/** A state in a word, with the colour of what it means; the word says it all. */
export function StateBadge({ meaning, label }: { meaning: Meaning; label: string }) {
  return (
    <Badge color={colors[meaning]} variant="light" size="sm" radius="sm" tt="none" fw={500}>
      {label}
    </Badge>
  )
}
