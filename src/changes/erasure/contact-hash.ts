import { createHmac, randomBytes } from 'node:crypto'
import type { Keyring } from '../../access/organizations/keyring.ts'
import { nationalNumber } from '../../people/users/search-words.ts'

export const contactKinds = ['mobile', 'email', 'digits'] as const
export type ContactKind = (typeof contactKinds)[number]

/** Keyed hashes by which an organization recognises erased people. They cannot be computed without its key. */
export interface ContactHasher {
  mobile(area_code: string, mobile: string): string
  email(address: string): string
  /** A number without its calling code, as written in texts. */
  digits(number: string): string
}

export function createContactHasher(key: Buffer): ContactHasher {
  const hash = (kind: ContactKind, contact: string) =>
    createHmac('sha256', key).update(`${kind}:${contact}`).digest('hex')
  return {
    mobile: (area_code, mobile) => hash('mobile', `+${area_code}${nationalNumber(area_code, mobile)}`),
    email: (address) => hash('email', address.trim().normalize('NFKC').toLowerCase()),
    digits: (number) => hash('digits', number),
  }
}

/** The name under which the key of an organization is sealed. */
function sealName(corp_id: string): string {
  return `erasures:${corp_id}`
}

export interface SealedKey {
  secret_box: Buffer
  secret_key_id: string
}

export function newSealedKey(keyring: Keyring, corp_id: string): SealedKey {
  return sealKey(keyring, corp_id, randomBytes(32))
}

/** Seals a key that another installation made. */
export function sealKey(keyring: Keyring, corp_id: string, key: Buffer): SealedKey {
  return keyring.seal(sealName(corp_id), key.toString('hex'))
}

export function openKey(keyring: Keyring, corp_id: string, sealed: SealedKey): Buffer {
  return Buffer.from(keyring.open(sealName(corp_id), sealed), 'hex')
}

/** The same key, sealed with the newest master key. */
export function resealedKey(keyring: Keyring, corp_id: string, sealed: SealedKey): SealedKey {
  return keyring.seal(sealName(corp_id), keyring.open(sealName(corp_id), sealed))
}
