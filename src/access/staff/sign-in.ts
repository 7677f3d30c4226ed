import type { PublicContext } from '../../contract/endpoint.ts'
import { described, Id, Name, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import './console-context.ts'
import { exampleSignedIn, SignedIn, signedIn } from './fields.ts'
import { signInNote } from './note-sign-in.ts'
import { beginSession, type SessionProof } from './sessions.ts'
import type { AccountKey } from './staff-store.ts'

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
  return signedIn(await auth.sessions.find(token, now))
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
