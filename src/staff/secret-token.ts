import { createHash, randomBytes } from 'node:crypto'

/** What a cookie or a link holds: nothing to guess, and nothing in it. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url')
}

/** As it is stored. The token is random, so a plain hash is enough. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
