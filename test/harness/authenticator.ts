import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** A passkey in software: it signs challenges as an authenticator with a fingerprint reader does. */
export interface SoftwarePasskey {
  credential_id: string
  /** The credential for the options of a sign-in, in the format of the browser's `toJSON`. */
  use(options: { challenge: string }): object
}

interface CreationOptions {
  challenge: string
  rp: { id?: string }
  user: { id: string }
}

/** Creates a passkey for the options of a registration, with its credential. */
export function makePasskey(
  options: CreationOptions,
  origin: string,
): { passkey: SoftwarePasskey; credential: object } {
  const rpId = options.rp.id ?? new URL(origin).hostname
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const credential_id = id.toString('base64url')
  const common = { id: credential_id, rawId: credential_id, type: 'public-key', clientExtensionResults: {} }
  let counter = 0

  const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)])
  const authData = authenticatorData(rpId, 0x45, counter, attested)
  const attestationObject = cborMap([
    ['fmt', cborText('none')],
    ['attStmt', cborMap([])],
    ['authData', cborBytes(authData)],
  ])
  const registration = {
    clientDataJSON: clientData('webauthn.create', options.challenge, origin).toString('base64url'),
    attestationObject: attestationObject.toString('base64url'),
    transports: ['internal'],
  }

  const passkey: SoftwarePasskey = {
    credential_id,
    use({ challenge }) {
      const data = clientData('webauthn.get', challenge, origin)
      const signed = authenticatorData(rpId, 0x05, ++counter)
      return {
        ...common,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: signed.toString('base64url'),
          signature: signatureOf(privateKey, signed, data).toString('base64url'),
          userHandle: options.user.id,
        },
      }
    },
  }
  return { passkey, credential: { ...common, response: registration } }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** Flags: 0x01 present, 0x04 verified, 0x40 with a new credential. */
function authenticatorData(rpId: string, flags: number, counter: number, attested = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count, attested])
}

function signatureOf(key: KeyObject, authData: Buffer, data: Buffer): Buffer {
  return createSign('sha256')
    .update(Buffer.concat([authData, sha256(data)]))
    .sign(key)
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** RFC 9052: an ES256 key with both coordinates. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (text: string) => cborBytes(Buffer.from(text, 'base64url'))
  // kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y.
  const members = [
    [0x01, 0x02],
    [0x03, 0x26],
    [0x20, 0x01],
  ].map((pair) => Buffer.from(pair))
  const named = [Buffer.from([0x21]), coordinate(x), Buffer.from([0x22]), coordinate(y)]
  return Buffer.concat([Buffer.from([0xa5]), ...members, ...named])
}

/** The part of RFC 8949 that an attestation needs. */
function cborMap(entries: [name: string, value: Buffer][]): Buffer {
  const members = entries.flatMap(([name, value]) => [cborText(name), value])
  return Buffer.concat([cborHead(5, entries.length), ...members])
}

function cborText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([cborHead(3, bytes.length), bytes])
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
