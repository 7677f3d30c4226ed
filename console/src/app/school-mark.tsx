import classes from './frame.module.css'
import { useSession } from './session.tsx'

interface SchoolMarkProps {
  school: { corp_id: string; name: string; color: string; logo_id: string }
}

/** The mark of the signed-in person's school. */
export function OwnSchoolMark() {
  return <SchoolMark school={useSession().organization} />
}

/**
 * The logo of a school; without one, its first letter on its colour. The style draws the letter, so that it is not part of the
 * text of a button whose name is the name of the school beside it.
 */
export function SchoolMark({ school: { corp_id, name, color, logo_id } }: SchoolMarkProps) {
  if (logo_id !== '')
    return <img className={classes.logo} src={`/schools/${corp_id}/logo/${logo_id}`} alt="" height={28} />
  const [letter] = name.match(/\p{Script=Han}/u) ?? name.match(/\p{L}|\p{N}/u) ?? ['']
  return (
    <span
      className={classes.mark}
      style={{ background: color || undefined }}
      data-letter={letter.toUpperCase()}
      aria-hidden
    />
  )
}

/** A line in the colour of a school. */
export function SchoolLine({ color }: { color: string }) {
  return color === '' ? null : <div className={classes.line} style={{ color }} aria-hidden />
}
