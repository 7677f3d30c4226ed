/** The modifier of shortcuts, as the keyboard labels it. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl '
}
