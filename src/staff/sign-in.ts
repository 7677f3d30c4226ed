import type { Static } from 'typebox'
import type { PublicContext } from '../contract/endpoint.ts'
import './console-context.ts'
import { type SignedIn, signedIn } from './fields.ts'
import type { Vouched } from './sessions.ts'

/** Begins a session in this browser, whatever it held before: one that was planted is not taken over. */
export async function signIn(
  { auth, door, now }: Pick<PublicContext, 'auth' | 'door' | 'now'>,
  staff_id: string,
  vouched?: Vouched,
): Promise<Static<typeof SignedIn>> {
  const token = await auth.sessions.begin(staff_id, now, vouched)
  const staff = await auth.sessions.find(token, now)
  door.keepSession(token)
  return signedIn(staff)
}
