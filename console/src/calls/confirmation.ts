type Ask = () => Promise<boolean>

let ask: Ask = async () => false

/** Asks who is signed in to prove it once more; false where they would rather not. */
export function askToConfirm(): Promise<boolean> {
  return ask()
}

/** The dialog that asks; calls know nothing of screens. */
export function setConfirmation(asking: Ask): void {
  ask = asking
}
