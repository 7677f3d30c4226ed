import { createHmac } from 'node:crypto'
import { testKeyring } from '../harness/keyring.ts'

/** Forgeries of a genuine token, by the kind of change. */
export function forgedTokens(genuine: string): Record<string, string> {
  const [header, payload, signature] = genuine.split('.') as [string, string, string]
  const trueKey = testKeyring.tokenKeys[0]!.key
  const claims = decode(payload)
  const withAlg = (alg: string) => encode({ ...decode(header), alg })
  const later = encode({ ...claims, exp_ms: (claims.exp_ms as number) + 1 })
  return {
    'signed with another key': `${header}.${payload}.${hmac('sha256', Buffer.alloc(32, 1), `${header}.${payload}`)}`,
    'signed with an empty key': `${header}.${payload}.${hmac('sha256', Buffer.alloc(0), `${header}.${payload}`)}`,
    'of the algorithm none': `${withAlg('none')}.${payload}.`,
    'of the algorithm none, signature kept': `${withAlg('none')}.${payload}.${signature}`,
    'of another algorithm with the true key': `${withAlg('HS512')}.${payload}.${hmac('sha512', trueKey, `${withAlg('HS512')}.${payload}`)}`,
    'of an algorithm with public keys': `${withAlg('RS256')}.${payload}.${hmac('sha256', trueKey, `${withAlg('RS256')}.${payload}`)}`,
    'with a changed payload': `${header}.${later}.${signature}`,
    'with a changed header': `${encode({ ...decode(header), kid: '../key' })}.${payload}.${signature}`,
    'with its end cut off': genuine.slice(0, -1),
    'without its signature': `${header}.${payload}.`,
    'without its last part': `${header}.${payload}`,
    'with a part too many': `${genuine}.${signature}`,
    'of nothing but dots': '..',
    'of one word': 'token',
  }
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function hmac(hash: string, key: Buffer, text: string): string {
  return createHmac(hash, key).update(text).digest('base64url')
}
