import { staffEndpoint } from '../../contract/endpoint.ts'
import { described } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requirePassword } from './confirm-session.ts'
import './console-context.ts'
import { exampleSignedIn, NewPassword, Password, SignedIn } from './fields.ts'
import { passwordNote } from './note-sign-in.ts'
import { hashPassword } from './password.ts'
import { deleteSessionsOf } from './session-store.ts'
import { accountOf } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { setPassword } from './staff-store.ts'

/** Ends all sessions, since one may belong to a person who knows the old password. This browser gets a new session. */
export const changePassword = staffEndpoint({
  id: 'changePassword',
  method: 'POST',
  path: '/api/v5/console/password/update',
  group: 'Console',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'It asks for the current password itself.',
    limit: 'failed sign-ins',
  },
  summary: 'Change the password, and sign out everywhere else',
  input: Type.Object({
    password: described(Password, 'Current password'),
    new_password: NewPassword,
  }),
  data: SignedIn,
  example: {
    input: { password: 'correct horse battery', new_password: 'staple of another horse' },
    data: exampleSignedIn,
  },
  errors: ['wrongPassword', 'sessionEnded', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { password, new_password }) {
    const { staff, access, now } = context
    await requirePassword(context, password)
    const account = accountOf(staff)
    const password_hash = await hashPassword(new_password)
    await access.of(account.corp_id).transaction(async (tx) => {
      await setPassword(tx, account, password_hash, now)
      await deleteSessionsOf(tx, account)
      tx.note(passwordNote(account.staff_id, 'changed'))
    })
    return signIn(context, account, { password_hash })
  },
})
