/** What stands behind the # of a link that was given out; it is not left in the address, where others may read it. */
export function linkOfAddress(): string {
  const link = window.location.hash.slice(1)
  if (link !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  return link
}
