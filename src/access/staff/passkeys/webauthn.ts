import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { Site } from '../console-context.ts'
import { ticketLifeMs } from '../ticket.ts'
import type { NewCredential, UsedCredential } from './passkey-fields.ts'
import type { Passkey } from './passkey-store.ts'

/** Loaded on first use: importing it took 20 % of start-up time. */
const webauthn = () => import('@simplewebauthn/server')

/** A passkey replaces the password, so that the authenticator must verify the person, not only their presence. */
const userVerification = 'required'
/** EdDSA, ES256 and RS256: every authenticator supports one of them. */
const supportedAlgorithmIDs = [-8, -7, -257]

export async function creationOptions(
  { rpId }: Site,
  person: { staff_id: string; email: string; name: string },
  passkeys: Passkey[],
  challenge: string,
) {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Matricula',
    rpID: rpId,
    userID: Buffer.from(person.staff_id),
    userName: person.email,
    userDisplayName: person.name,
    challenge,
    timeout: ticketLifeMs,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(asCredential),
    authenticatorSelection: { residentKey: 'required', userVerification },
  })
}

/** Without passkeys, the browser offers all that it has for this site, so that nobody has to type an address. */
export async function requestOptions({ rpId }: Site, challenge: string, passkeys?: Passkey[]) {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    timeout: ticketLifeMs,
    userVerification,
    ...(passkeys && { allowCredentials: passkeys.map(asCredential) }),
  })
}

type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential']

/** Undefined for another site or challenge, or an invalid signature. */
export async function verifiedRegistration(
  { origin, rpId }: Site,
  credential: NewCredential,
  expectedChallenge: string,
): Promise<Registered | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs,
    })
    return registrationInfo?.credential
  } catch {
    return undefined
  }
}

/** The current count of the authenticator; undefined if it did not sign the challenge. */
export async function verifiedUse(
  { origin, rpId }: Site,
  credential: UsedCredential,
  expectedChallenge: string,
  { credential_id, public_key, counter }: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** The challenge that a credential signs: the ticket, as the browser stored it. */
export function challengeOf({ response }: NewCredential | UsedCredential): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

function asCredential({ credential_id, transports }: Passkey) {
  return { id: credential_id, transports }
}
