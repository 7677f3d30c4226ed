let leave = () => {}

/** The session is over: whatever was on the screen, somebody has to sign in again. */
export function tellSignedOut(): void {
  leave()
}

export function onSignedOut(leaving: () => void): void {
  leave = leaving
}
