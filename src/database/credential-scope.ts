/** ASCII's unit separator, which no corp_id holds. */
const separator = '\u001f'

/**
 * A scope for `Database.of` to find accounts before their organization is known. The handle reads the rows of one address,
 * passkey or domain in any organization, and writes nothing. The policies of `staff`, `staff_passkeys` and
 * `verified_domains` enforce it.
 */
export function credentialScope(kind: 'address' | 'passkey' | 'domain', value: string): string {
  return `${separator}${kind}${separator}${value}`
}
