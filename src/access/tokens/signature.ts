import { createHash, timingSafeEqual } from 'node:crypto'

/** The signature of a token request: the hexadecimal SHA-256 of app_id + time_stamp + secret. */
export function signatureOf(appId: string, timeStamp: string, secret: string): string {
  return createHash('sha256').update(`${appId}${timeStamp}${secret}`).digest('hex')
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
