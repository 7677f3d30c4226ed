import { Type } from 'typebox'
import { type StaffContext, staffEndpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import './console-context.ts'
import { exampleSignedIn, Password, SignedIn, signedIn } from './fields.ts'
import { noteFailedSignIn } from './note-sign-in.ts'
import { UsedCredential } from './passkeys/passkey-fields.ts'
import { checkPasskey } from './passkeys/use-passkey.ts'
import { isPassword } from './password.ts'
import { findPasswordHash } from './staff-store.ts'

/** What moves money out or shows much at once asks for the password or a passkey again; that is sent here. */
export const confirmSession = staffEndpoint({
  id: 'confirmSession',
  method: 'POST',
  path: '/api/v5/console/session/confirm',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  summary: 'Prove once more who is there',
  description:
    'By the password, or by a passkey that has signed what console/session/confirm/begin asks for.',
  input: Type.Object({ password: Type.Optional(Password), credential: Type.Optional(UsedCredential) }),
  rules: (_input, isSent) => {
    if (isSent('password') && isSent('credential'))
      return [{ param: 'credential', reason: 'must not come with password: send one or the other' }]
    if (isSent('password') || isSent('credential')) return []
    return [{ param: 'password', reason: 'is required (or credential)', missing: true }]
  },
  data: SignedIn,
  example: { input: { password: 'correct horse battery' }, data: exampleSignedIn },
  errors: [
    'wrongPassword',
    'passkeyRefused',
    'siteUnknown',
    'sessionEnded',
    'otherOrigin',
    'tooManyRequests',
  ],

  async handle(context, { password, credential }) {
    const { staff, door, auth, now } = context
    if (credential) await requirePasskey(context, credential)
    else await requirePassword(context, password!)
    const token = await auth.sessions.confirm(staff.session.hash, now)
    door.keepSession(token)
    return signedIn(await auth.sessions.find(token, now))
  },
})

export async function requirePassword(
  { staff, door, auth, address, now }: StaffContext,
  password: string,
): Promise<void> {
  const isRight = await auth.failures.check({ appId: staff.app_id, address }, now, async () => {
    const hash = await findPasswordHash(door.people, staff.app_id)
    if (await isPassword(password, hash, address)) return true
    noteFailedSignIn(door, staff.app_id, now)
    return undefined
  })
  if (!isRight) throw new ApiError('wrongPassword')
}

async function requirePasskey(context: StaffContext, credential: UsedCredential): Promise<void> {
  const { staff } = context
  const passkey = await checkPasskey(context, 'passkey-confirmation', credential, staff.session.hash)
  if (passkey?.staff_id !== staff.app_id) throw new ApiError('passkeyRefused')
}
