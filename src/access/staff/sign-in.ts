import { type Static, Type } from 'typebox'
import type { PublicContext } from '../../contract/endpoint.ts'
import { described, Id, Name, OrganizationId } from '../../contract/fields.ts'
import type { Queryable } from '../../database/database.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import './console-context.ts'
import { exampleSignedIn, SignedIn, signedIn } from './fields.ts'
import { signInNote } from './note-sign-in.ts'
import { type Beginning, beginSession } from './sessions.ts'
import type { AccountKey } from './staff-store.ts'

type Door = Pick<PublicContext, 'auth' | 'door' | 'now'>

/**
 * Begins a new session in this browser: one that somebody planted there is not taken over. `use` spends what works once, in
 * the same transaction.
 */
export async function signIn(
  { auth, door, now }: Door,
  account: AccountKey,
  beginning: Beginning,
  use: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<Static<typeof SignedIn>> {
  const token = await door.of(account.corp_id, account.staff_id).transaction(async (tx) => {
    const begun = await beginSession(tx, account, beginning, now)
    await use(tx)
    tx.note(signInNote(account))
    return begun
  })
  door.keepSession(token)
  return signedIn(await auth.sessions.find(token, now))
}

/** Where a person has accounts in several schools, the school that is meant. */
export const SchoolOfAccount = Type.Optional(
  described(OrganizationId, 'Where the answer listed several schools: the one to sign in to'),
)

export const SignedInOrSchools = Type.Object({
  session: Type.Unsafe<Static<typeof SignedIn> | null>({
    ...SignedIn,
    title: 'BegunSession',
    type: ['object', 'null'],
    description: 'Null where a school is to be chosen: repeat the call with its corp_id',
  }),
  schools: Type.Array(Type.Object({ corp_id: Id, name: Name }), {
    description: 'The schools that this opens, where there are several',
  }),
})

export const exampleSignedInOrSchools: Static<typeof SignedInOrSchools> = {
  session: exampleSignedIn,
  schools: [],
}

/** Signs in to the only account there is; of several, only the schools are told, and one of them is to be named. */
export async function signInOrChoose<Account extends AccountKey>(
  { auth }: Pick<PublicContext, 'auth'>,
  accounts: Account[],
  enter: (account: Account) => Promise<Static<typeof SignedIn>>,
): Promise<Static<typeof SignedInOrSchools>> {
  if (accounts.length === 1) return { session: await enter(accounts[0]!), schools: [] }
  const corpIds = accounts.map(({ corp_id }) => corp_id)
  const schools = await findOrganizations(auth.accounts, corpIds)
  return { session: null, schools: schools.map(({ corp_id, name }) => ({ corp_id, name })) }
}
