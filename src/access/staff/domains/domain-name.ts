import { domainToASCII } from 'node:url'

/** Normalizes a domain: lower case, non-ASCII labels in Punycode. "" for invalid text. */
export function normalDomain(text: string): string {
  return domainToASCII(text.trim().toLowerCase())
}

/** The normalized domain of an e-mail address. */
export function domainOf(email: string): string {
  return normalDomain(email.slice(email.lastIndexOf('@') + 1))
}

/** Leaves room for the prefix of the TXT record within the limit of DNS names. */
export const maxDomainLength = 240

/**
 * Whether one organization can own the domain: at least two labels, and not a public suffix (com, co.uk, github.io). The list
 * of suffixes is large and loaded on first use.
 */
export async function isOwnable(domain: string): Promise<boolean> {
  if (domain.length > maxDomainLength || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return false
  const { parse } = await import('tldts')
  const found = parse(domain, { allowPrivateDomains: true })
  return found.hostname === domain && found.isIp === false && found.domain !== null
}
