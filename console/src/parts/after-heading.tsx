import { type ReactNode, useDeferredValue } from 'react'
import classes from './after-heading.module.css'

let isReturn = false

/** Notes a move of the browser's history: its kind as the router names it. */
export function noteMove({ type }: { type: string }): void {
  isReturn = type !== 'PUSH' && type !== 'REPLACE'
}

/**
 * Whether the content of a screen renders. It renders after the heading, and can be interrupted, so that a click on the next
 * screen does not wait for it. Back and Forward render all at once, because the router then restores the scroll position.
 */
export function useIsAfterHeading(): boolean {
  return useDeferredValue(true, isReturn)
}

/** The content of a screen. */
export function AfterHeading({ children }: { children: ReactNode }) {
  return useIsAfterHeading() ? children : <Outline />
}

/** Lines in the place of the content, visible only if it takes long. One element, because it must not delay the heading. */
export function Outline() {
  return <div className={classes.outline} aria-busy />
}
