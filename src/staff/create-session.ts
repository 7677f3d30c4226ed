import { Type } from 'typebox'
import { publicEndpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { Email } from '../contract/fields.ts'
import './console-context.ts'
import { exampleSignedIn, Password, SignedIn } from './fields.ts'
import { noteFailedSignIn } from './note-sign-in.ts'
import { isPassword } from './password.ts'
import { signIn } from './sign-in.ts'
import { findByEmail } from './staff-store.ts'

/** Signs somebody in. A wrong address and a wrong password look alike, and take as long. */
export const createSession = publicEndpoint({
  id: 'createSession',
  method: 'POST',
  path: '/api/v5/console/session/create',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The password proves who it is.',
    limit: 'failed sign-ins',
  },
  summary: 'Sign in with e-mail and password',
  description: 'The session is kept in a cookie that no script can read.',
  input: Type.Object({ email: Email, password: Password }),
  data: SignedIn,
  example: {
    input: { email: exampleSignedIn.email, password: 'correct horse battery' },
    data: exampleSignedIn,
  },
  errors: ['wrongPassword', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { email, password }) {
    const { auth, door, address, now } = context
    const staff = await auth.failures.check({ appId: email.toLowerCase(), address }, now, async () => {
      const found = await findByEmail(door.people, email)
      const isRight = await isPassword(password, found?.password_hash ?? null, address)
      if (isRight && !found!.is_disabled) return found
      noteFailedSignIn(door, found?.staff_id, now)
      return undefined
    })
    if (!staff) throw new ApiError('wrongPassword')
    return signIn(context, staff.staff_id)
  },
})
