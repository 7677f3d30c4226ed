import { Type } from 'typebox'
import { type PublicContext, publicEndpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { exampleIds } from '../../../contract/example-ids.ts'
import { described, Email, Id } from '../../../contract/fields.ts'
import { credentialScope } from '../../../database/credential-scope.ts'
import '../console-context.ts'
import { domainOf } from '../domains/domain-name.ts'
import { findOwnerOf } from '../domains/domain-store.ts'
import { exampleSignedIn, SignedIn } from '../fields.ts'
import { signIn } from '../sign-in.ts'
import { readTicket, writeTicket } from '../ticket.ts'
import { noteSpent } from '../ticket-store.ts'
import { admit } from './admit.ts'
import { type Errand, finishErrand, type ProviderAccess, startErrand } from './openid.ts'
import { findProvider, findProviderSecret, sealNameOf } from './provider-store.ts'
import { redirectAddressOf } from './redirect-address.ts'

const shared = { group: 'Console', since: 'Ver5.2026-11-15', method: 'POST' } as const

export const beginProviderSignIn = publicEndpoint({
  ...shared,
  id: 'beginProviderSignIn',
  path: '/api/v5/console/session/provider/begin',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Ask where to sign in by the provider of an organization',
  description:
    'By OpenID Connect. The organization is named, or found by the domain of an address: only the organization for which that ' +
    'domain is verified is found.',
  input: Type.Object({
    corp_id: Type.Optional(described(Id, 'Organization ID')),
    email: Type.Optional(described(Email, 'The address of the person who wants to sign in')),
    again: Type.Optional(
      Type.Boolean({ description: 'Whether to prove once more to be there, for what asks for confirmation' }),
    ),
  }),
  oneOfSets: [['corp_id'], ['email']],
  rules: ({ corp_id, email }) =>
    corp_id === undefined && email === undefined
      ? [{ param: 'corp_id', reason: 'is required (or email)', missing: true }]
      : [],
  data: Type.Object({ url: described(Type.String(), 'The address that the browser goes to') }),
  example: {
    input: { email: 'wang.fang@lakeside.example' },
    data: { url: 'https://login.lakeside.example/auth?client_id=matricula&state=…' },
  },
  errors: ['providerNotFound', 'otherOrigin', 'siteUnknown', 'unavailable'],

  async handle(context, { corp_id, email, again = false }) {
    const { auth, door, now } = context
    const access = corp_id === undefined ? await accessFor(context, email!) : await accessTo(context, corp_id)
    const { url, errand } = await startErrand(access, { isAgain: again, email }, now).catch(notAnswering)
    door.keepTicket(writeTicket(auth.keyring, 'provider', errand, now))
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
    unconfirmed: 'The provider vouches for who it is.',
    limit: 'failed sign-ins',
  },
  summary: 'Sign in with what the provider of an organization sent back',
  description:
    'In the browser that began it, at the address of the organization that it began with. The session is one of an account of that organization.',
  input: Type.Object({
    corp_id: described(
      Id,
      'The organization whose address the provider sent the browser back to: /sign-in/{corp_id}',
    ),
    returned: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'What the provider put behind the question mark of our address',
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
  errors: ['providerRefused', 'providerNotFound', 'otherOrigin', 'siteUnknown', 'unavailable'],

  async handle(context, { corp_id, returned }) {
    const { auth, door, now } = context
    const ticket = readTicket<Errand>(auth.keyring, 'provider', door.ticket ?? '', now)
    if (!ticket) throw new ApiError('providerRefused')
    const errand = ticket.content
    // An answer of one organization's provider is never redeemed at another's.
    if (errand.corp_id !== corp_id) throw new ApiError('providerRefused')
    const on = door.of(corp_id)
    if (!(await noteSpent(on, corp_id, ticket, now))) throw new ApiError('providerRefused')
    const access = await accessTo(context, corp_id)
    const assertion = await finishErrand(access, errand, new URLSearchParams(returned)).catch(notAccepted)
    const admitted = await admit(on, access, assertion, errand, now)
    if (!admitted) throw new ApiError('providerRefused')
    door.keepTicket(null)
    return signIn(context, admitted.account, { vouched_at: admitted.vouched_at })
  },
})

/** The provider of the organization that has verified the domain of an address. */
async function accessFor(context: PublicContext, email: string): Promise<ProviderAccess> {
  const domain = domainOf(email)
  const corp_id = await findOwnerOf(context.door.of(credentialScope('domain', domain)), domain)
  const access = corp_id === undefined ? undefined : await accessTo(context, corp_id)
  const isForDomain = access?.email_domains.length === 0 || access?.email_domains.includes(domain)
  if (!access || !isForDomain) throw new ApiError('providerNotFound')
  return access
}

/** An organization without a provider looks like one that does not exist. */
async function accessTo({ auth, door }: PublicContext, corp_id: string): Promise<ProviderAccess> {
  const on = door.of(corp_id)
  const provider = await findProvider(on, corp_id)
  const sealed = provider && (await findProviderSecret(on, corp_id))
  if (!provider || !sealed) throw new ApiError('providerNotFound')
  return {
    ...provider,
    client_secret: auth.keyring.open(sealNameOf(corp_id), sealed),
    redirectUri: redirectAddressOf(door.site().origin, corp_id),
    allowsPrivate: auth.allowsPrivateProviders,
  }
}

function notAnswering(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw new ApiError('unavailable', {
    msg: 'The provider of the organization does not answer as it should: try again, or sign in another way.',
    retryAfterSeconds: 10,
  })
}

/** What was wrong is not told: it would help whoever tries. */
function notAccepted(error: unknown): never {
  throw error instanceof ApiError ? error : new ApiError('providerRefused')
}
