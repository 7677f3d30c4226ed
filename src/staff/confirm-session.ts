import { Type } from 'typebox'
import { staffEndpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import './console-context.ts'
import { exampleSignedIn, Password, SignedIn, signedIn } from './fields.ts'
import { isPassword } from './password.ts'
import { findPasswordHash } from './staff-store.ts'

/** What moves money out or shows much at once asks for the password again; that is sent here. */
export const confirmSession = staffEndpoint({
  id: 'confirmSession',
  method: 'POST',
  path: '/api/v5/console/session/confirm',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  summary: 'Prove once more who is there',
  input: Type.Object({ password: Password }),
  data: SignedIn,
  example: { input: { password: 'correct horse battery' }, data: exampleSignedIn },
  errors: ['wrongPassword', 'sessionEnded', 'otherOrigin', 'tooManyRequests'],

  async handle({ staff, door, auth, address, now }, { password }) {
    const confirmed = await auth.failures.check({ appId: staff.app_id, address }, now, async () => {
      const hash = await findPasswordHash(door.people, staff.app_id)
      return (await isPassword(password, hash, address)) ? true : undefined
    })
    if (!confirmed) throw new ApiError('wrongPassword')
    const token = await auth.sessions.confirm(staff.session.hash, now)
    door.keepSession(token)
    return signedIn(await auth.sessions.find(token, now))
  },
})
