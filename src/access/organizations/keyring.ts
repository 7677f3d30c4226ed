import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { SealedSecret } from './secret-store.ts'

/** Seals account secrets and derives the key that signs tokens; all from the master keys. */
export interface Keyring {
  seal(appId: string, secret: string): SealedSecret
  open(appId: string, sealed: SealedSecret): string
  /** The id of the key that seals. */
  newestKeyId: string
  /** Newest first: the first signs, all verify. */
  tokenKeys: TokenKey[]
  /** Takes other master keys from now on. */
  replace(masterKeys: Buffer[]): void
}

interface TokenKey {
  id: string
  key: Buffer
}

interface MasterKey {
  id: string
  key: Buffer
}

/**
 * `masterKeys` are newest first: the first seals, and every key opens what it sealed. To rotate, put the new key first, and
 * remove the old one after all secrets are resealed. `reread` reads the keys again.
 */
export function createKeyring(masterKeys: Buffer[], reread?: () => Buffer[]): Keyring {
  let keys = masterKeys.map(identify)
  const newest = () => {
    const [key] = keys
    if (!key) throw new Error('A keyring needs a master key')
    return key
  }
  let tokenKeys = keys.map(tokenKeyOf)
  const keyOf = (wanted: string) => keys.find(({ id }) => id === wanted)
  return {
    seal(appId, secret) {
      const { id, key } = newest()
      return { secret_box: seal(key, appId, secret), secret_key_id: id }
    },
    open(appId, { secret_box, secret_key_id }) {
      // A rotation may have added a key while this server runs.
      if (!keyOf(secret_key_id) && reread) keys = reread().map(identify)
      const key = keyOf(secret_key_id)
      if (!key) throw new Error(`No master key has the id ${secret_key_id}: add it to MATRICULA_KEY`)
      return open(key.key, appId, secret_box)
    },
    get newestKeyId() {
      return newest().id
    },
    get tokenKeys() {
      return tokenKeys
    },
    replace(others) {
      keys = others.map(identify)
      tokenKeys = keys.map(tokenKeyOf)
    },
  }
}

function tokenKeyOf({ id, key }: MasterKey): TokenKey {
  return { id, key: Buffer.from(hkdfSync('sha256', key, '', 'access-token', 32)) }
}

export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** The id of a master key. It does not tell the key. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('matricula-key-id').update(key).digest('hex').slice(0, 8)
}

function identify(key: Buffer): MasterKey {
  return { id: keyIdOf(key), key }
}

const nonceBytes = 12
const tagBytes = 16

function seal(key: Buffer, appId: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(appId))
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, appId: string, box: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, nonceBytes))
    .setAAD(Buffer.from(appId))
    .setAuthTag(box.subarray(-tagBytes))
  return decipher.update(box.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
}
