import { type PublicContext, publicEndpoint, staffEndpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Email, Id, Name, OrganizationId } from '../../contract/fields.ts'
import { readersSignIn } from '../../contract/guard.ts'
import { type Static, Type } from '../../contract/type.ts'
import './console-context.ts'
import type { Queryable } from '../../database/database.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import { exampleSignedIn, Password, SignedIn, signedIn } from './fields.ts'
import { noteFailure, noteFailureByAddress, noteSignOut, signInNote } from './note-sign-in.ts'
import { isPassword } from './password.ts'
import { accountOf, beginSession, type SessionProof } from './sessions.ts'
import { type AccountKey, canSignIn, findAccountsByAddress, findByEmail, type Staff } from './staff-store.ts'

type SignInContext = Pick<PublicContext, 'auth' | 'access' | 'now'>

/**
 * Starts a new session in this browser, which prevents session fixation. `consume` consumes a one-time credential in the same
 * transaction.
 */
export async function signIn(
  { auth, access, now }: SignInContext,
  account: AccountKey,
  proof: SessionProof,
  consume: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<Static<typeof SignedIn>> {
  const token = await access.of(account.corp_id, account.staff_id).transaction(async (tx) => {
    const begun = await beginSession(tx, account, proof, now)
    await consume(tx)
    tx.note(signInNote(account))
    return begun
  })
  access.keepSession(token)
  return signedIn(access, await auth.sessions.find(token, now))
}

/** The chosen school of a person with accounts in several schools. */
export const SchoolOfAccount = Type.Optional(
  described(OrganizationId, 'The school to sign in to, if a previous response listed several'),
)

export const SignedInOrSchools = Type.Object({
  session: Type.Unsafe<Static<typeof SignedIn> | null>({
    ...SignedIn,
    title: 'BegunSession',
    type: ['object', 'null'],
    description: 'Null if a school must be chosen: repeat the call with its corp_id',
  }),
  schools: Type.Array(Type.Object({ corp_id: Id, name: Name }), {
    description: 'The schools to choose from, if there are several',
  }),
})

export const exampleSignedInOrSchools: Static<typeof SignedInOrSchools> = {
  session: exampleSignedIn,
  schools: [],
}

/** Signs in to a single account. For several accounts, returns their schools to choose from. */
export async function signInOrChoose<Account extends AccountKey>(
  { auth }: Pick<PublicContext, 'auth'>,
  accounts: Account[],
  enter: (account: Account) => Promise<Static<typeof SignedIn>>,
): Promise<Static<typeof SignedInOrSchools>> {
  const [only, ...others] = accounts
  if (only && others.length === 0) return { session: await enter(only), schools: [] }
  const corpIds = accounts.map(({ corp_id }) => corp_id)
  const schools = await findOrganizations(auth.accounts, corpIds)
  return { session: null, schools: schools.map(({ corp_id, name }) => ({ corp_id, name })) }
}

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
    ...readersSignIn,
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
  errors: ['wrongPassword', 'organizationSuspended', 'otherOrigin', 'tooManyRequests'],

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

export const fetchSession = staffEndpoint({
  id: 'fetchSession',
  method: 'GET',
  path: '/api/v5/console/session/fetch',
  group: 'Console',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the session: person, school and permissions',
  input: Type.Object({}),
  data: SignedIn,
  example: { input: {}, data: exampleSignedIn },
  errors: ['sessionEnded'],

  async handle({ staff, access }) {
    return signedIn(access, staff)
  },
})

export const endSession = staffEndpoint({
  id: 'endSession',
  method: 'POST',
  path: '/api/v5/console/session/end',
  group: 'Console',
  guard: { effect: 'changes', people: 'none', support: 'allowed', ...readersSignIn },
  summary: 'Sign out, here or everywhere',
  input: Type.Object({
    everywhere: Type.Optional(Type.Boolean({ description: 'Ends all sessions of this account' })),
  }),
  data: Type.Object({}),
  example: { input: { everywhere: true }, data: {} },
  errors: ['sessionEnded', 'otherOrigin'],

  async handle({ auth, staff, access }, { everywhere = false }) {
    if (everywhere && !staff.session.support) await auth.sessions.endAll(accountOf(staff))
    else await auth.sessions.end(staff.session)
    await noteSignOut(access, accountOf(staff), everywhere)
    access.keepSession(null)
    return {}
  },
})
