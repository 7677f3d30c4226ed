/** The query of an address. All values are texts. */
export type Search = Record<string, string | undefined>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: object): string {
  const sent = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
