type Ask = () => Promise<boolean>

let leave = () => {}
let ask: Ask = async () => false

/** The session is over: whatever was on the screen, somebody has to sign in again. */
export function tellSignedOut(): void {
  leave()
}

export function onSignedOut(leaving: () => void): void {
  leave = leaving
}

/** Asks whoever was signed in to sign in where they are, so that nothing typed is lost; false where they would rather not. */
export function askToSignInAgain(): Promise<boolean> {
  return ask()
}

/** The dialog that asks; calls know nothing of screens. */
export function setSignInAgain(asking: Ask): void {
  ask = asking
}
