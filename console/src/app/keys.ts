/** Shortcuts: G, then the letter of a screen. */
export const goKeys = {
  t: 'today',
  p: 'people',
  l: 'leads',
  o: 'orders',
  f: 'finance',
  r: 'reports',
} as const

/** Shortcuts: N, then the letter of what is added. */
export const addKeys = { p: 'addPerson', l: 'addLead', o: 'addOrder' } as const

/** The screens on which it is added. */
export const addPlaces = { addPerson: '/people', addLead: '/leads', addOrder: '/orders' } as const

/** The modifier of shortcuts, as the keyboard labels it. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl '
}
