type Ask = () => Promise<boolean>

let ask: Ask = async () => false

/** Asks the person to confirm their identity; false if they cancel. */
export function askToConfirm(): Promise<boolean> {
  return ask()
}

/** Registers the dialog: calls do not import screens. */
export function setConfirmation(asking: Ask): void {
  ask = asking
}
