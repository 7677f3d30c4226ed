/** The address to return to after sign-in; never one of another site. */
export function safeReturn(wanted: string | undefined): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return '/today'
  return wanted.startsWith('/sign-in') ? '/today' : wanted
}
