/**
 * The scope of a handle that finds the organization of one credential, before any organization is known: an e-mail address,
 * a passkey or a domain. Policies compare it with app.corp_id, as they compare an organization's id; no id holds the
 * separator.
 */
export function credentialScope(kind: 'address' | 'passkey' | 'domain', value: string): string {
  return `\u001f${kind}\u001f${value}`
}
