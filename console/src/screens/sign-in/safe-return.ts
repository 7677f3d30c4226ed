/** Where somebody wanted to go before signing in: an address of the console, never of another site. */
export function safeReturn(wanted: string | undefined): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return '/today'
  return wanted.startsWith('/sign-in') ? '/today' : wanted
}
