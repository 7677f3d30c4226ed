import type { Auth } from '../../tokens/auth.ts'
import type { Door } from '../console-context.ts'
import { readTicket, type TicketPurpose, writeTicket } from '../ticket.ts'
import { noteSpent } from '../ticket-store.ts'
import type { UsedCredential } from './passkey-fields.ts'
import { findPasskey, listPasskeysOf, notePasskeyUse, type Passkey } from './passkey-store.ts'
import { challengeOf, requestOptions, verifiedUse } from './webauthn.ts'

interface Using {
  auth: Auth
  door: Door
  address: string
  now: Date
}

/** Whom a challenge was made for: null, as long as nobody is signed in. */
interface Challenge {
  session_hash: string | null
}

/** What the browser is asked to sign, by any passkey that it knows or by one of this person. */
export async function askForPasskey(
  { auth, door, now }: Using,
  purpose: TicketPurpose,
  staff?: { app_id: string; session: { hash: string } },
) {
  const challenge: Challenge = { session_hash: staff?.session.hash ?? null }
  const passkeys = staff && (await listPasskeysOf(door.people, staff.app_id))
  return requestOptions(door.site(), writeTicket(auth.keyring, purpose, challenge, now), passkeys)
}

/** Whose passkey has signed what this browser was asked to sign; undefined for whatever else was sent. */
export async function checkPasskey(
  { auth, door, address, now }: Using,
  purpose: TicketPurpose,
  credential: UsedCredential,
  session_hash: string | null,
): Promise<Passkey | undefined> {
  const site = door.site()
  const challenge = challengeOf(credential)
  const ticket = readTicket<Challenge>(auth.keyring, purpose, textOf(challenge), now)
  if (ticket?.content.session_hash !== session_hash) return undefined
  return auth.failures.check({ appId: credential.id, address }, now, async () => {
    const passkey = await findPasskey(door.people, credential.id)
    if (!passkey || !isOwner(passkey, credential)) return undefined
    const counter = await verifiedUse(site, credential, challenge, passkey)
    if (counter === undefined || !(await noteSpent(door.people, ticket, now))) return undefined
    const isNews = await notePasskeyUse(door.people, { credential_id: passkey.credential_id, counter }, now)
    return isNews ? passkey : undefined
  })
}

/** A challenge travels as base64url of the ticket's text. */
export function textOf(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString()
}

function isOwner({ staff_id }: Passkey, { response: { userHandle } }: UsedCredential): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === staff_id
}
