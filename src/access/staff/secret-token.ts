import { createHash, randomBytes } from 'node:crypto'
import { isLine } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'

/** Length of an organization's id in base64url: at most three bytes per character, four characters per three bytes. */
const maxEncodedIdLength = 4 * longest.id

/** The token in a cookie or link: the organization and a random part. */
export const secretTokenPattern = `^[A-Za-z0-9_-]{1,${maxEncodedIdLength}}\\.[A-Za-z0-9_-]{43}$`
const pattern = new RegExp(secretTokenPattern)

export function newSecretToken(corp_id: string): string {
  return `${Buffer.from(corp_id).toString('base64url')}.${randomBytes(32).toString('base64url')}`
}

/** The organization in a token. A forged one is harmless: only its own organization has the hash of the whole token. */
export function organizationOf(token: string): string | undefined {
  if (!pattern.test(token)) return undefined
  const corp_id = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()
  return isLine(corp_id) && corp_id.length <= longest.id ? corp_id : undefined
}

/** The stored form. The token is random, so that a plain hash is enough. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
