import classes from './frame.module.css'
import { useSession } from './session.tsx'

/**
 * The first letter of the school, on its colour. CSS renders it, so that it is not part of the text of a button whose
 * name is the name of the school beside it.
 */
export function SchoolMark() {
  const { organization } = useSession()
  const [letter] = organization.name.match(/\p{Script=Han}/u) ??
    organization.name.match(/\p{L}|\p{N}/u) ?? ['']
  return <span className={classes.mark} data-letter={letter.toUpperCase()} aria-hidden />
}
