/** Marked values that must not appear outside their records. */
export const canary = {
  mobile: '18899900011',
  email: 'canary.linnet@birds.example',
  name: 'Hänfling Canaria',
  secret: 'canary-secret-0123456789abcdef0123456789abcdef',
  token: 'canary-token-0123456789abcdef0123456789abcdef',
}

const traces = Object.values(canary).flatMap((text) => [text, encodeURIComponent(text), text.split(' ')[0]!])

/** The canaries found in a text. */
export function canariesIn(text: string): string[] {
  return traces.filter((trace) => text.includes(trace))
}

/** The canary of a parameter, by its name. */
export function canaryFor(name: string): string {
  if (/mobile|phone/.test(name)) return canary.mobile
  if (/e?mail/.test(name)) return canary.email
  if (/secret|password|signature/.test(name)) return canary.secret
  if (/token|link|ticket|code$|state$/.test(name)) return canary.token
  return canary.name
}
