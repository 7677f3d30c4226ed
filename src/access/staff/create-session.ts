import { type PublicContext, publicEndpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Email } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import './console-context.ts'
import { exampleSignedIn, Password } from './fields.ts'
import { noteFailure, noteFailureByAddress } from './note-sign-in.ts'
import { isPassword } from './password.ts'
import {
  exampleSignedInOrSchools,
  SchoolOfAccount,
  SignedInOrSchools,
  signIn,
  signInOrChoose,
} from './sign-in.ts'
import { canSignIn, findAccountsByAddress, findByEmail, type Staff } from './staff-store.ts'

/** Signs in. A wrong address and a wrong password get the same response, after the same time. */
export const createSession = publicEndpoint({
  id: 'createSession',
  method: 'POST',
  path: '/api/v5/console/session/create',
  group: 'Console',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The password identifies the person.',
    limit: 'failed sign-ins',
  },
  summary: 'Sign in with e-mail and password',
  description:
    'The session is stored in a cookie that scripts cannot read. If the password matches accounts in several schools, the ' +
    'response lists the schools: repeat the call with the corp_id of one of them.',
  input: Type.Object({ email: Email, password: Password, corp_id: SchoolOfAccount }),
  data: SignedInOrSchools,
  example: {
    input: { email: exampleSignedIn.email, password: 'correct horse battery' },
    data: exampleSignedInOrSchools,
  },
  errors: ['wrongPassword', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { email, password, corp_id }) {
    const { auth, address, now } = context
    const guessed = [corp_id ?? '', email.toLowerCase()].join(' ')
    const opened = await auth.failures.check({ appId: guessed, address }, now, async () => {
      const found = await accountsOf(context, email, corp_id)
      const accounts = await openedBy(password, found, address)
      if (accounts.length > 0) return accounts
      noteFailed(context, email, corp_id, found)
      return undefined
    })
    if (!opened) throw new ApiError('wrongPassword')
    return signInOrChoose(context, opened, ({ password_hash, ...account }) =>
      signIn(context, account, { password_hash }),
    )
  },
})

async function accountsOf({ access }: PublicContext, email: string, corp_id: string | undefined) {
  if (corp_id === undefined) return findAccountsByAddress(access.of, email)
  const found = await findByEmail(access.of(corp_id), corp_id, email)
  return found ? [found] : []
}

/** The accounts that can sign in and have this password. Without accounts, a dummy check takes the same time. */
async function openedBy(password: string, found: Staff[], address: string) {
  const accounts = found
    .filter(canSignIn)
    .flatMap(({ corp_id, staff_id, password_hash }) =>
      password_hash === null ? [] : [{ corp_id, staff_id, password_hash }],
    )
  if (accounts.length === 0) await isPassword(password, null, address)
  // In parallel: the duration must not reveal the number of accounts of the address.
  const checks = accounts.map(({ password_hash }) => isPassword(password, password_hash, address))
  const isOpened = await Promise.all(checks)
  return accounts.filter((_, n) => isOpened[n])
}

function noteFailed(
  { access, now }: PublicContext,
  email: string,
  corp_id: string | undefined,
  [account]: Staff[],
): void {
  if (!account) return
  if (corp_id === undefined) noteFailureByAddress(access, email, now)
  else noteFailure(access, account, now)
}
