import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { described, IsoInstant, Name, NullableInstant, namedObject } from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import type { Passkey } from './passkey-store.ts'

/** Bytes in base64url, as browsers write them into JSON. */
const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]+={0,2}$', maxLength: 20_000 })
export const CredentialId = described(
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1400 }),
  'ID of the passkey, from the authenticator',
)

const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Unsafe<'public-key'>({ type: 'string', enum: ['public-key'] }),
}

/** The result of `navigator.credentials.create`, by its `toJSON`. */
export const NewCredential = namedObject('NewPasskeyCredential', {
  ...credential,
  response: Type.Object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
})

/** The result of `navigator.credentials.get`, by its `toJSON`. */
export const UsedCredential = namedObject('UsedPasskeyCredential', {
  ...credential,
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Bytes),
  }),
})
export type NewCredential = Static<typeof NewCredential>
export type UsedCredential = Static<typeof UsedCredential>

const browserOptions = {
  type: 'object',
  additionalProperties: true,
  description: 'Input of PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON',
}
export const CreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>(browserOptions)
export const RequestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>(browserOptions)

export const PasskeyRow = namedObject('Passkey', {
  credential_id: CredentialId,
  name: Name,
  ctime: IsoInstant,
  used_at: described(NullableInstant, 'Time of the last sign-in or confirmation with the passkey'),
})

export function passkeyRow({ credential_id, name, ctime, used_at }: Passkey): Static<typeof PasskeyRow> {
  return {
    credential_id,
    name,
    ctime: ctime.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  }
}

const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi'
const id = '6xUqPvBgTnGeiDDAs8u33DWQGhoaDfJv2Q3fdGWz6sI'

export const exampleNewCredential: NewCredential = {
  id,
  rawId: id,
  type: 'public-key',
  response: {
    clientDataJSON,
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
    transports: ['internal'],
  },
}
export const exampleUsedCredential: UsedCredential = {
  id,
  rawId: id,
  type: 'public-key',
  response: {
    clientDataJSON,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDSbZ0ZpKTb7o9C2ZrQwz8Z0kC8x3a1Hn9m0X1sXqk0fwIgJw',
    userHandle: 'MDE5OGMwZGU3Nzc3N2M0MWEyZjBkOGU2YjQ5MzcyMTU',
  },
}
export const examplePasskey: Static<typeof PasskeyRow> = {
  credential_id: id,
  name: 'Laptop',
  ctime: '2026-11-15T02:00:00.000Z',
  used_at: null,
}
export const exampleRequestOptions: PublicKeyCredentialRequestOptionsJSON = {
  challenge: 'Y2hhbGxlbmdl',
  rpId: 'matricula.example.edu',
  userVerification: 'required',
  timeout: 300_000,
}
export const exampleCreationOptions: PublicKeyCredentialCreationOptionsJSON = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { id: 'matricula.example.edu', name: 'Matricula' },
  user: { id: 'MDE5OGMwZGU3Nzc3', name: 'wang.fang@example.com', displayName: '王芳' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
}
