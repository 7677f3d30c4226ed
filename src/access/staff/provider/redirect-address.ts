/**
 * Where the provider of an organization sends the browser back to. Each organization has its own address, so that an answer of
 * one organization's provider can never be taken for an answer of another's.
 */
export function redirectAddressOf(origin: string, corp_id: string): string {
  return `${origin}/sign-in/${encodeURIComponent(corp_id)}`
}
