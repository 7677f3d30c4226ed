import { Type } from 'typebox'
import { type PublicContext, publicEndpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import './console-context.ts'
import { exampleSignedIn, LinkToken, NewPassword, SignedIn, signedIn } from './fields.ts'
import { type LinkPurpose, takeLink } from './link-store.ts'
import { hashPassword } from './password.ts'
import { hashOfToken } from './secret-token.ts'
import { setPassword } from './staff-store.ts'

const exampleLink = 'Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12'

/** Takes up an invitation or a reset: whoever has the link chooses the password, and all sessions of before end. */
export const choosePassword = publicEndpoint({
  id: 'choosePassword',
  method: 'POST',
  path: '/api/v5/console/password/choose',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  summary: 'Choose a password by a link, and sign in',
  input: Type.Object({ link: LinkToken, password: NewPassword }),
  data: SignedIn,
  example: { input: { link: exampleLink, password: 'correct horse battery' }, data: exampleSignedIn },
  errors: ['linkInvalid', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link, password }) {
    const { auth, door, now } = context
    const staff_id = await ownerOf(context, link, 'password')
    await setPassword(door.people, staff_id, await hashPassword(password), now)
    await auth.sessions.endAll(staff_id)
    return enter(context, staff_id)
  },
})

/** Signs in by a link that was printed where only its owner reads. */
export const enterByLink = publicEndpoint({
  id: 'enterByLink',
  method: 'POST',
  path: '/api/v5/console/session/link',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  summary: 'Sign in by a link that works once',
  input: Type.Object({ link: LinkToken }),
  data: SignedIn,
  example: { input: { link: exampleLink }, data: exampleSignedIn },
  errors: ['linkInvalid', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link }) {
    return enter(context, await ownerOf(context, link, 'sign_in'))
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

async function enter({ auth, door, now }: PublicContext, staff_id: string) {
  const token = await auth.sessions.begin(staff_id, now)
  door.keepSession(token)
  return signedIn(await auth.sessions.find(token, now))
}
