import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { Site } from '../console-context.ts'
import { ticketLifeMs } from '../ticket.ts'
import type { NewCredential, UsedCredential } from './passkey-fields.ts'
import type { Passkey } from './passkey-store.ts'

/** Loaded when somebody uses a passkey: it would be a fifth of the start of every process. */
const webauthn = () => import('@simplewebauthn/server')

/** A passkey stands for the password, so whoever uses it must prove to be its owner, not merely be there. */
const userVerification = 'required'
/** EdDSA, ES256 and RS256: one of them is known to every authenticator. */
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

/** Without passkeys, the browser offers those that it knows for this site: nobody has to type who they are. */
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

/** Undefined where it is not what we asked for: another site, another challenge, another person's device. */
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

/** What the authenticator counts now; undefined where it did not sign what we asked for. */
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

/** The challenge that a credential answers: our ticket, as the browser wrote it down. */
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
