/**
 * The redirect URI of an organization. Each organization has its own, so that the response of one organization's provider
 * cannot be mistaken for that of another.
 */
export function redirectAddressOf(origin: string, corp_id: string): string {
  return `${origin}/sign-in/${encodeURIComponent(corp_id)}`
}
