/** ASCII's unit separator, which no corp_id holds. */
const separator = '\u001f'

/**
 * What `Database.of` takes to find accounts before their organization is known: the handle then reads the rows of this one
 * address, passkey or domain, in whichever organization, and writes nothing. The policies of `staff`, `staff_passkeys` and
 * `verified_domains` say so.
 */
export function credentialScope(kind: 'address' | 'passkey' | 'domain', value: string): string {
  return `${separator}${kind}${separator}${value}`
}
