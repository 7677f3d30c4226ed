import { createHash, randomBytes } from 'node:crypto'
import { isLine } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'

/** Of an organization's id in base64url: at most three bytes per character, four characters per three bytes. */
const longestEncodedId = 4 * longest.id

/** What a cookie or a link holds: the organization, and nothing to guess. */
export const secretTokenPattern = `^[A-Za-z0-9_-]{1,${longestEncodedId}}\\.[A-Za-z0-9_-]{43}$`
const pattern = new RegExp(secretTokenPattern)

export function newSecretToken(corp_id: string): string {
  return `${Buffer.from(corp_id).toString('base64url')}.${randomBytes(32).toString('base64url')}`
}

/** Where to look for a token. A caller can name any organization here: the hash of the whole token is found in its own only. */
export function organizationOf(token: string): string | undefined {
  if (!pattern.test(token)) return undefined
  const corp_id = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()
  return isLine(corp_id) && corp_id.length <= longest.id ? corp_id : undefined
}

/** As it is stored. The token is random, so a plain hash is enough. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
