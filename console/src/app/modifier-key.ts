/** The key that goes with a letter for a command, as the keyboard in front of somebody writes it. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl '
}
