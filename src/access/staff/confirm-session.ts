import { type StaffContext, staffEndpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { readersSignIn } from '../../contract/guard.ts'
import { Type } from '../../contract/type.ts'
import './console-context.ts'
import { exampleSignedIn, Password, SignedIn, signedIn } from './fields.ts'
import { noteFailure } from './note-sign-in.ts'
import { UsedCredential } from './passkeys/passkey-fields.ts'
import { checkPasskey, usePasskey } from './passkeys/use-passkey.ts'
import { isPassword } from './password.ts'
import { accountOf } from './sessions.ts'
import { findStaff } from './staff-store.ts'

/** Sensitive operations require a recent proof of presence: the password or a passkey, sent to this operation. */
export const confirmSession = staffEndpoint({
  id: 'confirmSession',
  method: 'POST',
  path: '/api/v5/console/session/confirm',
  group: 'Console',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'It is the confirmation itself.',
    limit: 'failed sign-ins',
    ...readersSignIn,
  },
  summary: 'Confirm the session',
  description:
    'Send the password, or a passkey that has signed the challenge of console/session/confirm/begin.',
  input: Type.Object({ password: Type.Optional(Password), credential: Type.Optional(UsedCredential) }),
  rules: (_input, isSent) => {
    if (isSent('password') && isSent('credential'))
      return [{ param: 'credential', reason: 'must not be sent with password: send one or the other' }]
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
    const { staff, access, auth, now } = context
    if (credential) await requirePasskey(context, credential)
    else if (password !== undefined) await requirePassword(context, password)
    const token = await auth.sessions.confirm(staff.session, now)
    access.keepSession(token)
    return signedIn(access, await auth.sessions.find(token, now))
  },
})

export async function requirePassword(
  { staff, access, auth, address, now }: StaffContext,
  password: string,
): Promise<void> {
  const account = accountOf(staff)
  const { corp_id, staff_id } = account
  const isRight = await auth.failures.check({ appId: `${corp_id} ${staff_id}`, address }, now, async () => {
    const found = await findStaff(access.of(corp_id), account)
    if (await isPassword(password, found?.password_hash ?? null, address)) return true
    noteFailure(access, account, now)
    return undefined
  })
  if (!isRight) throw new ApiError('wrongPassword')
}

async function requirePasskey(context: StaffContext, credential: UsedCredential): Promise<void> {
  const { staff, access } = context
  const account = accountOf(staff)
  const [use] = await checkPasskey(context, 'passkey-confirmation', credential, {
    session_hash: staff.session.hash,
    corp_id: account.corp_id,
  })
  if (use?.passkey.staff_id !== account.staff_id) throw new ApiError('passkeyRefused')
  await access.of(account.corp_id, account.staff_id).transaction(async (tx) => {
    const { credential_id, used_at } = use.passkey
    tx.note({
      record_type: 'staff_passkeys',
      record_id: credential_id,
      before: { used_at },
      after: { used_at: context.now },
    })
    await usePasskey(tx, use, context.now)
  })
}
