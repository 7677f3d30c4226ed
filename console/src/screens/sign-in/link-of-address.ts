/** Reads the link from the fragment and removes it from the address, where others could read it. */
export function linkOfAddress(): string {
  const link = window.location.hash.slice(1)
  if (link !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  return link
}
