import type { Static } from 'typebox'
import type { PublicContext } from '../contract/endpoint.ts'
import './console-context.ts'
import { type SignedIn, signedIn } from './fields.ts'
import { noteSignIn } from './note-sign-in.ts'
import type { Vouched } from './sessions.ts'

/** Begins a session in this browser, whatever it held before: one that was planted is not taken over. */
export async function signIn(
  { auth, door, now }: Pick<PublicContext, 'auth' | 'door' | 'now'>,
  staff_id: string,
  vouched?: Vouched,
): Promise<Static<typeof SignedIn>> {
  const token = await auth.sessions.begin(staff_id, now, vouched)
  const staff = await auth.sessions.find(token, now)
  await noteSignIn(
    door,
    staff_id,
    staff.organizations.map(({ corp_id }) => corp_id),
  )
  door.keepSession(token)
  return signedIn(staff)
}
