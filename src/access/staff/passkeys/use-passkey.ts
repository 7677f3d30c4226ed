import { ApiError } from '../../../contract/errors.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Auth } from '../../tokens/auth.ts'
import type { Door } from '../console-context.ts'
import { accountOf, type StaffCaller } from '../sessions.ts'
import { canSignIn, findStaff } from '../staff-store.ts'
import { readTicket, type TicketPurpose, writeTicket } from '../ticket.ts'
import { noteSpent } from '../ticket-store.ts'
import type { UsedCredential } from './passkey-fields.ts'
import { findPasskeys, listPasskeysOf, notePasskeyUse, type Passkey } from './passkey-store.ts'
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

/** What the browser is asked to sign, by any passkey that it knows or by one of this account. */
export async function askForPasskey({ auth, door, now }: Using, purpose: TicketPurpose, staff?: StaffCaller) {
  const challenge: Challenge = { session_hash: staff?.session.hash ?? null }
  const passkeys = staff && (await listPasskeysOf(door.of(staff.session.corp_id), accountOf(staff)))
  return requestOptions(door.site(), writeTicket(auth.keyring, purpose, challenge, now), passkeys)
}

/** A passkey that has signed what this browser was asked to sign. It counts once `usePasskey` has spent the ticket. */
export interface PasskeyUse {
  passkey: Passkey
  /** What the authenticator counts now. */
  counter: number
  ticket: { ticket_hash: string; ends_at: Date }
}

/**
 * The passkeys that have signed what this browser was asked to sign, in the named organization or in whichever: one may
 * open accounts in several. None for anything else that was sent, and none of accounts that cannot sign in.
 */
export async function checkPasskey(
  { auth, door, address, now }: Using,
  purpose: TicketPurpose,
  credential: UsedCredential,
  { session_hash, corp_id }: Challenge & { corp_id: string | undefined },
): Promise<PasskeyUse[]> {
  const site = door.site()
  const challenge = challengeOf(credential)
  const ticket = readTicket<Challenge>(auth.keyring, purpose, textOf(challenge), now)
  if (ticket?.content.session_hash !== session_hash) return []
  const used = await auth.failures.check({ appId: credential.id, address }, now, async () => {
    const uses: PasskeyUse[] = []
    for (const passkey of await findPasskeys(door.of, credential.id)) {
      if (corp_id !== undefined && passkey.corp_id !== corp_id) continue
      const counter = isOwner(passkey, credential)
        ? await verifiedUse(site, credential, challenge, passkey)
        : undefined
      if (counter === undefined) continue
      const staff = await findStaff(door.of(passkey.corp_id), passkey)
      if (staff && canSignIn(staff)) uses.push({ passkey, counter, ticket })
    }
    return uses.length > 0 ? uses : undefined
  })
  return used ?? []
}

/** Spends the ticket and counts the use; throws where either has been done before. */
export async function usePasskey(tx: Queryable, { passkey, counter, ticket }: PasskeyUse, now: Date) {
  const { corp_id, credential_id } = passkey
  const isFirst = await noteSpent(tx, corp_id, ticket, now)
  if (!isFirst || !(await notePasskeyUse(tx, { corp_id, credential_id, counter }, now)))
    throw new ApiError('passkeyRefused')
}

/** A challenge travels as base64url of the ticket's text. */
export function textOf(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString()
}

function isOwner({ staff_id }: Passkey, { response: { userHandle } }: UsedCredential): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === staff_id
}
