import { exampleIds, type PublicContext, publicEndpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Email, Id } from '../../../contract/fields.ts'
import { readersSignIn } from '../../../contract/guard.ts'
import { Type } from '../../../contract/type.ts'
import { credentialScope } from '../../../database/credential-scope.ts'
import '../console-context.ts'
import { isEmail } from '../../../contract/formats.ts'
import { newId } from '../../../contract/new-id.ts'
import type { Queryable } from '../../../database/database.ts'
import { signIn } from '../create-session.ts'
import { domainOf } from '../domains/domain-name.ts'
import { findOwnerOf, isVerified } from '../domains/domain-store.ts'
import { exampleSignedIn, SignedIn } from '../fields.ts'
import { noteSpent } from '../session-store.ts'
import { type AccountKey, findByEmail, findOrMakeStaff, setRoleAndName } from '../staff-store.ts'
import { readTicket, writeTicket } from '../ticket.ts'
import {
  type Assertion,
  finishSignIn,
  type PendingSignIn,
  type ProviderAccess,
  startSignIn,
} from './openid.ts'
import { findProvider, findProviderSecret, type Provider, sealNameOf } from './provider-store.ts'
import { redirectAddressOf } from './redirect-address.ts'

const shared = { group: 'Console', method: 'POST' } as const

export const beginProviderSignIn = publicEndpoint({
  ...shared,
  id: 'beginProviderSignIn',
  path: '/api/v5/console/session/provider/begin',
  guard: { effect: 'changes', people: 'none', ...readersSignIn },
  summary: 'Start a sign-in at the provider of an organization',
  description:
    'OpenID Connect. Send the organization or an e-mail address. An address finds the organization that has verified its ' +
    'domain.',
  input: Type.Object({
    corp_id: Type.Optional(described(Id, 'Organization ID')),
    email: Type.Optional(described(Email, 'E-mail address of the person')),
    again: Type.Optional(
      Type.Boolean({ description: 'Whether to authenticate again, to confirm the session' }),
    ),
  }),
  oneOfSets: [['corp_id'], ['email']],
  rules: ({ corp_id, email }) =>
    corp_id === undefined && email === undefined
      ? [{ param: 'corp_id', reason: 'is required (or email)', missing: true }]
      : [],
  data: Type.Object({ url: described(Type.String(), 'Address to open in the browser') }),
  example: {
    input: { email: 'wang.fang@lakeside.example' },
    data: { url: 'https://login.lakeside.example/auth?client_id=matricula&state=…' },
  },
  errors: ['providerNotFound', 'otherOrigin', 'siteUnknown', 'unavailable'],

  async handle(context, { corp_id, email, again = false }) {
    const { auth, access, now } = context
    const provider = await (corp_id === undefined
      ? providerOfAddress(context, email ?? '')
      : providerOf(context, corp_id))
    const { url, pending } = await startSignIn(provider, { confirms: again, email }, now).catch(notAnswering)
    access.keepTicket(writeTicket(auth.keyring, 'provider', pending, now))
    return { url }
  },
})

export const signInByProvider = publicEndpoint({
  ...shared,
  id: 'signInByProvider',
  path: '/api/v5/console/session/provider',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The provider identifies the person.',
    limit: 'failed sign-ins',
    ...readersSignIn,
  },
  summary: 'Sign in with the response of the provider',
  description:
    'Works only in the browser that started the sign-in, at the redirect address of the same organization.',
  input: Type.Object({
    corp_id: described(Id, 'The organization in the redirect address: /sign-in/{corp_id}'),
    returned: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'Query string of the redirect address',
    }),
  }),
  data: SignedIn,
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      returned: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
    },
    data: exampleSignedIn,
  },
  errors: [
    'providerRefused',
    'organizationSuspended',
    'providerNotFound',
    'otherOrigin',
    'siteUnknown',
    'unavailable',
  ],

  async handle(context, { corp_id, returned }) {
    const { auth, access, now } = context
    const ticket = readTicket<PendingSignIn>(auth.keyring, 'provider', access.ticket ?? '', now)
    if (!ticket) throw new ApiError('providerRefused')
    const pending = ticket.content
    // The code of one organization's provider is never redeemed at another's.
    if (pending.corp_id !== corp_id) throw new ApiError('providerRefused')
    const on = access.of(corp_id)
    if (!(await noteSpent(on, corp_id, ticket, now))) throw new ApiError('providerRefused')
    const provider = await providerOf(context, corp_id)
    const assertion = await finishSignIn(provider, pending, new URLSearchParams(returned)).catch(notAccepted)
    const admitted = await admit(on, provider, assertion, pending, now)
    if (!admitted) throw new ApiError('providerRefused')
    access.keepTicket(null)
    return signIn(context, admitted.account, { vouched_at: admitted.vouched_at })
  },
})

/** The provider of the organization that has verified the domain of an address. */
async function providerOfAddress(context: PublicContext, email: string): Promise<ProviderAccess> {
  const domain = domainOf(email)
  const corp_id = await findOwnerOf(context.access.of(credentialScope('domain', domain)), domain)
  if (corp_id === undefined) throw new ApiError('providerNotFound')
  const provider = await providerOf(context, corp_id)
  const { email_domains } = provider
  if (email_domains.length > 0 && !email_domains.includes(domain)) throw new ApiError('providerNotFound')
  return provider
}

/** An organization without a provider looks like one that does not exist. */
async function providerOf({ auth, access }: PublicContext, corp_id: string): Promise<ProviderAccess> {
  const on = access.of(corp_id)
  const provider = await findProvider(on, corp_id)
  const sealed = provider && (await findProviderSecret(on, corp_id))
  if (!provider || !sealed) throw new ApiError('providerNotFound')
  return {
    ...provider,
    client_secret: auth.keyring.open(sealNameOf(corp_id), sealed),
    redirectUri: redirectAddressOf(access.site().origin, corp_id),
    allowsPrivate: auth.allowsPrivateProviders,
  }
}

function notAnswering(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw new ApiError('unavailable', {
    msg: 'The provider of the organization does not respond correctly. Try again later, or sign in another way.',
    retryAfterSeconds: 10,
  })
}

/** The response gives no reason: it would help an attacker. */
function notAccepted(error: unknown): never {
  throw error instanceof ApiError ? error : new ApiError('providerRefused')
}

/** Tolerance for the authentication time of the provider, whose clock may differ. */
const clockToleranceMs = 60_000

/** The account of the person that the provider identified; undefined if the organization does not admit them. */
async function admit(
  on: Queryable,
  provider: Provider,
  assertion: Assertion,
  { confirmsSinceMs }: PendingSignIn,
  now: Date,
): Promise<{ account: AccountKey; vouched_at: Date } | undefined> {
  const { email, authenticatedAt } = assertion
  if (!isEmail(email) || !isTrusted(provider, assertion)) return undefined
  const provedAtMs = Math.min(authenticatedAt?.getTime() ?? 0, now.getTime())
  if (confirmsSinceMs !== null && provedAtMs < confirmsSinceMs - clockToleranceMs) return undefined
  const staff_id = await memberOf(on, provider, assertion, now)
  if (staff_id === undefined) return undefined
  return { account: { corp_id: provider.corp_id, staff_id }, vouched_at: new Date(provedAtMs) }
}

function isTrusted({ trusts_emails, email_domains }: Provider, { email, isVerified }: Assertion): boolean {
  if (!(isVerified ?? trusts_emails)) return false
  return email_domains.length === 0 || email_domains.includes(domainOf(email))
}

/** An invited person; with a default role, also any person with an address of a verified domain. */
async function memberOf(
  on: Queryable,
  { corp_id, default_role, email_domains }: Provider,
  { email, name }: Assertion,
  now: Date,
): Promise<string | undefined> {
  const known = await findByEmail(on, corp_id, email)
  if (known?.is_disabled) return undefined
  if (known && known.role !== null) return known.staff_id
  const [role, domain] = [default_role, domainOf(email)]
  if (role === null || !email_domains.includes(domain)) return undefined
  if (!(await isVerified(on, corp_id, domain))) return undefined
  return on.transaction(async (tx) => {
    const wanted = { corp_id, staff_id: newId(), email, name: name?.slice(0, 100).trim() || email }
    const { staff_id } = await findOrMakeStaff(tx, { ...wanted, role: null, password_hash: null }, now)
    await setRoleAndName(tx, { ...wanted, staff_id, role }, now)
    tx.note({ record_type: 'staff', record_id: staff_id, after: { role } })
    return staff_id
  })
}
