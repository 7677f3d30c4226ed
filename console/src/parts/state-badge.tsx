import classes from './state-badge.module.css'

/** What each colour means, everywhere: action, received, soon overdue, overdue or refused, ended. */
export type Meaning = 'action' | 'received' | 'soon' | 'refused' | 'ended'

/** A state in a word, with the colour of what it means; the word says it all. */
export function StateBadge({ meaning, label }: { meaning: Meaning; label: string }) {
  return (
    <span className={classes.badge} data-meaning={meaning}>
      {label}
    </span>
  )
}
