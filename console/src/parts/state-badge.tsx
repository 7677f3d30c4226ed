import classes from './state-badge.module.css'

/** The meaning of each colour on all screens. */
export type Meaning = 'action' | 'received' | 'soon' | 'refused' | 'ended'

/** A status as a coloured word. */
export function StateBadge({ meaning, label }: { meaning: Meaning; label: string }) {
  return (
    <span className={classes.badge} data-meaning={meaning}>
      {label}
    </span>
  )
}
