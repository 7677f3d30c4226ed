import { Type } from 'typebox'
import { staffEndpoint } from '../contract/endpoint.ts'
import { described } from '../contract/fields.ts'
import { requirePassword } from './confirm-session.ts'
import './console-context.ts'
import { exampleSignedIn, NewPassword, Password, SignedIn } from './fields.ts'
import { hashPassword } from './password.ts'
import { signIn } from './sign-in.ts'
import { setPassword } from './staff-store.ts'

/** All sessions of before end: whoever knew the old password may be in one. This browser gets a new one. */
export const changePassword = staffEndpoint({
  id: 'changePassword',
  method: 'POST',
  path: '/api/v5/console/password/update',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'It asks for the current password itself.',
    limit: 'failed sign-ins',
  },
  summary: 'Change the password, and sign out everywhere else',
  input: Type.Object({
    password: described(Password, 'The one of now'),
    new_password: NewPassword,
  }),
  data: SignedIn,
  example: {
    input: { password: 'correct horse battery', new_password: 'staple of another horse' },
    data: exampleSignedIn,
  },
  errors: ['wrongPassword', 'sessionEnded', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { password, new_password }) {
    const { staff, door, auth, now } = context
    await requirePassword(context, password)
    await setPassword(door.people, staff.app_id, await hashPassword(new_password), now)
    await auth.sessions.endAll(staff.app_id, null)
    return signIn(context, staff.app_id)
  },
})
