import { ApiError } from '../../../contract/errors.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Auth } from '../../tokens/auth.ts'
import type { ConsoleAccess } from '../console-context.ts'
import { noteSpent } from '../session-store.ts'
import { accountOf, type StaffCaller } from '../sessions.ts'
import { canSignIn, findStaff } from '../staff-store.ts'
import { readTicket, type TicketPurpose, writeTicket } from '../ticket.ts'
import type { UsedCredential } from './passkey-fields.ts'
import { findPasskeys, listPasskeysOf, notePasskeyUse, type Passkey } from './passkey-store.ts'
import { challengeOf, requestOptions, verifiedUse } from './webauthn.ts'

interface PasskeyContext {
  auth: Auth
  access: ConsoleAccess
  address: string
  now: Date
}

/** The session that a challenge is for; null for a sign-in. */
interface Challenge {
  session_hash: string | null
}

/** Creates a challenge for any passkey, or for those of a signed-in person. */
export async function askForPasskey(
  { auth, access, now }: PasskeyContext,
  purpose: TicketPurpose,
  staff?: StaffCaller,
) {
  const challenge: Challenge = { session_hash: staff?.session.hash ?? null }
  const passkeys = staff && (await listPasskeysOf(access.of(staff.session.corp_id), accountOf(staff)))
  return requestOptions(access.site(), writeTicket(auth.keyring, purpose, challenge, now), passkeys)
}

/** A passkey that has signed the challenge of this browser. `usePasskey` consumes the ticket. */
export interface PasskeyUse {
  passkey: Passkey
  /** The current count of the authenticator. */
  counter: number
  ticket: { ticket_hash: string; ends_at: Date }
}

/**
 * The passkeys that have signed the challenge of this browser, in one organization or in all: a passkey may match accounts
 * in several. Empty for an invalid credential, and without accounts that cannot sign in.
 */
export async function checkPasskey(
  { auth, access, address, now }: PasskeyContext,
  purpose: TicketPurpose,
  credential: UsedCredential,
  { session_hash, corp_id }: Challenge & { corp_id: string | undefined },
): Promise<PasskeyUse[]> {
  const site = access.site()
  const challenge = challengeOf(credential)
  const ticket = readTicket<Challenge>(auth.keyring, purpose, textOf(challenge), now)
  if (ticket?.content.session_hash !== session_hash) return []
  const used = await auth.failures.check({ appId: credential.id, address }, now, async () => {
    const uses: PasskeyUse[] = []
    for (const passkey of await findPasskeys(access.of, credential.id)) {
      if (corp_id !== undefined && passkey.corp_id !== corp_id) continue
      const counter = isOwner(passkey, credential)
        ? await verifiedUse(site, credential, challenge, passkey)
        : undefined
      if (counter === undefined) continue
      const staff = await findStaff(access.of(passkey.corp_id), passkey)
      if (staff && canSignIn(staff)) uses.push({ passkey, counter, ticket })
    }
    return uses.length > 0 ? uses : undefined
  })
  return used ?? []
}

/** Consumes the ticket and records the use. Throws if either was done before. */
export async function usePasskey(tx: Queryable, { passkey, counter, ticket }: PasskeyUse, now: Date) {
  const { corp_id, credential_id } = passkey
  const isFirst = await noteSpent(tx, corp_id, ticket, now)
  if (!isFirst || !(await notePasskeyUse(tx, { corp_id, credential_id, counter }, now)))
    throw new ApiError('passkeyRefused')
}

/** A challenge is the text of the ticket in base64url. */
export function textOf(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString()
}

function isOwner({ staff_id }: Passkey, { response: { userHandle } }: UsedCredential): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === staff_id
}
