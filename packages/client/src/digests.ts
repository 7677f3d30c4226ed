const encoder = new TextEncoder()

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

export async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', bytesOf(text)))
}

export async function hmacSha256(secret: string, text: string): Promise<string> {
  return hex(await crypto.subtle.sign('HMAC', await hmacKey(bytesOf(secret), 'sign'), bytesOf(text)))
}

export function hmacKey(secret: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
