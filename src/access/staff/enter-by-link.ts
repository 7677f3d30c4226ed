import { type PublicContext, publicEndpoint, staffEndpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { readersSignIn } from '../../contract/guard.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import './console-context.ts'
import { described } from '../../contract/fields.ts'
import { refuseSuspended } from '../organizations/suspend-organization.ts'
import { requirePassword } from './confirm-session.ts'
import { signIn } from './create-session.ts'
import {
  exampleLink,
  exampleSignedIn,
  LinkToken,
  NewPassword,
  Password,
  SignedIn,
  signedIn,
} from './fields.ts'
import { passwordNote } from './note-sign-in.ts'
import { deletePasskeysOf } from './passkeys/passkey-store.ts'
import { hashPassword } from './password.ts'
import { hashOfToken, organizationOf } from './secret-token.ts'
import { deleteSessionsOf, isLink, type LinkPurpose, takeLink } from './session-store.ts'
import { accountOf } from './sessions.ts'
import { type AccountKey, setPassword } from './staff-store.ts'
import { enterAsSupport } from './support/support-link.ts'

/**
 * Accepts an invitation or a password reset: the holder of the link chooses the password. Ends all sessions and passkeys,
 * since a compromised one may be the reason for the reset.
 */
export const choosePassword = publicEndpoint({
  id: 'choosePassword',
  method: 'POST',
  path: '/api/v5/console/password/choose',
  group: 'Console',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The link identifies the person.',
    limit: 'failed sign-ins',
  },
  summary: 'Choose a password with a link, and sign in',
  input: Type.Object({ link: LinkToken, password: NewPassword }),
  data: SignedIn,
  example: { input: { link: exampleLink, password: 'correct horse battery' }, data: exampleSignedIn },
  errors: ['linkInvalid', 'organizationSuspended', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link, password }) {
    const { now } = context
    const chosen = await withLink(context, link, 'password', async (tx, account) => {
      const password_hash = await hashPassword(password)
      await setPassword(tx, account, password_hash, now)
      await deletePasskeysOf(tx, account)
      await deleteSessionsOf(tx, account)
      // The link identifies the person.
      const { staff_id } = account
      const origin = { ...tx.origin, actor_kind: 'staff' as const, actor_id: staff_id }
      tx.note({ ...passwordNote(staff_id, 'chosen'), origin })
      return { account, password_hash }
    })
    return signIn(context, chosen.account, { password_hash: chosen.password_hash })
  },
})

/** Signs in with a link from the terminal of the operator: into the sample school, or as support that the school let in. */
export const enterByLink = publicEndpoint({
  id: 'enterByLink',
  method: 'POST',
  path: '/api/v5/console/session/link',
  group: 'Console',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The link identifies the person.',
    limit: 'failed sign-ins',
    ...readersSignIn,
  },
  summary: 'Sign in with a one-time link',
  input: Type.Object({ link: LinkToken }),
  data: SignedIn,
  example: { input: { link: exampleLink }, data: exampleSignedIn },
  errors: ['linkInvalid', 'organizationSuspended', 'otherOrigin', 'tooManyRequests'],

  async handle(context, { link }) {
    const support = await enterAsSupport(context, link)
    if (support !== undefined) {
      context.access.keepSession(support)
      return signedIn(context.access, await context.auth.sessions.find(support, context.now))
    }
    const account = await withLink(context, link, 'sign_in', async (_, account) => account)
    return signIn(context, account, {})
  },
})

/** Runs the work for the account of a link. Consumes the link in the same transaction. */
async function withLink<Done>(
  { auth, access, address, now }: PublicContext,
  link: string,
  purpose: LinkPurpose,
  work: (tx: Queryable, account: AccountKey) => Promise<Done>,
): Promise<Done> {
  const corp_id = organizationOf(link)
  if (corp_id !== undefined) {
    const sent = { corp_id, link_hash: hashOfToken(link), purpose }
    const on = access.of(corp_id)
    // Read first: a wrong link opens no transaction.
    const taken =
      (await isLink(on, sent)) &&
      (await on.transaction(async (tx) => {
        const account = await takeLink(tx, sent, now)
        // Rolls back, so that the link still works once the school is resumed.
        if (account) await refuseSuspended(tx, corp_id)
        return account && { done: await work(tx, account) }
      }))
    if (taken) return taken.done
  }
  await auth.failures.noteWrongLink(address, now)
  throw new ApiError('linkInvalid')
}

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
