import { domainToASCII } from 'node:url'

/** As DNS knows it: in lower case, and other scripts than Latin in their ASCII form. "" for what is no domain. */
export function normalDomain(text: string): string {
  return domainToASCII(text.trim().toLowerCase())
}

/** The domain of an e-mail address, as DNS knows it. */
export function domainOf(email: string): string {
  return normalDomain(email.slice(email.lastIndexOf('@') + 1))
}

/** Long enough for every domain, and short enough that the name of its record fits into DNS. */
export const longestDomain = 240

/**
 * Whether one organization can own the domain: not a single label, and no suffix under which anybody registers (com, co.uk,
 * github.io). The list of suffixes is large, so it is loaded with the first domain that somebody names.
 */
export async function isOwnable(domain: string): Promise<boolean> {
  if (domain.length > longestDomain || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return false
  const { parse } = await import('tldts')
  const found = parse(domain, { allowPrivateDomains: true })
  return found.hostname === domain && found.isIp === false && found.domain !== null
}
