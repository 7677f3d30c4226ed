import { Type } from 'typebox'
import { type PublicContext, publicEndpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import './console-context.ts'
import { exampleSignedIn, LinkToken, NewPassword, SignedIn } from './fields.ts'
import { type LinkPurpose, takeLink } from './link-store.ts'
import { deletePasskeysOf } from './passkeys/passkey-store.ts'
import { hashPassword } from './password.ts'
import { hashOfToken } from './secret-token.ts'
import { signIn } from './sign-in.ts'
import { setPassword } from './staff-store.ts'

const exampleLink = 'Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12'

/**
 * Takes up an invitation or a reset: whoever has the link chooses the password. All sessions of before end, and all
 * passkeys, among which might be one of whoever made the reset necessary.
 */
export const choosePassword = publicEndpoint({
  id: 'choosePassword',
  method: 'POST',
  path: '/api/v5/console/password/choose',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The link proves who it is.',
    limit: 'failed sign-ins',
  },
  summary: 'Choose a password by a link, and sign in',
  input: Type.Object({ link: LinkToken, password: NewPassword }),
  data: SignedIn,
  example: { input: { link: exampleLink, password: 'correct horse battery' }, data: exampleSignedIn },
  errors: ['linkInvalid', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link, password }) {
    const { auth, door, now } = context
    const staff_id = await ownerOf(context, link, 'password')
    await setPassword(door.people, staff_id, await hashPassword(password), now)
    await deletePasskeysOf(door.people, staff_id)
    await auth.sessions.endAll(staff_id, null)
    return signIn(context, staff_id)
  },
})

/** Signs in by a link that was printed where only its owner reads. */
export const enterByLink = publicEndpoint({
  id: 'enterByLink',
  method: 'POST',
  path: '/api/v5/console/session/link',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The link proves who it is.',
    limit: 'failed sign-ins',
  },
  summary: 'Sign in by a link that works once',
  input: Type.Object({ link: LinkToken }),
  data: SignedIn,
  example: { input: { link: exampleLink }, data: exampleSignedIn },
  errors: ['linkInvalid', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link }) {
    return signIn(context, await ownerOf(context, link, 'sign_in'))
  },
})

async function ownerOf(
  { auth, door, address, now }: PublicContext,
  link: string,
  purpose: LinkPurpose,
): Promise<string> {
  const staff_id = await auth.failures.check({ appId: 'links', address }, now, () =>
    takeLink(door.people, hashOfToken(link), purpose, now),
  )
  if (staff_id === undefined) throw new ApiError('linkInvalid')
  return staff_id
}
