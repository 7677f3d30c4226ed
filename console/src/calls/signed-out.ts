type Ask = () => Promise<boolean>

let leave = () => {}
let ask: Ask = async () => false

/** Reports that the session is over; the console shows the sign-in screen. */
export function tellSignedOut(): void {
  leave()
}

export function onSignedOut(leaving: () => void): void {
  leave = leaving
}

/** Asks the person to sign in over the page, so that no input is lost; false if they cancel. */
export function askToSignInAgain(): Promise<boolean> {
  return ask()
}

/** Registers the dialog: calls do not import screens. */
export function setSignInAgain(asking: Ask): void {
  ask = asking
}
