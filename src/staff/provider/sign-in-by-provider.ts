import { Type } from 'typebox'
import { type PublicContext, publicEndpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Email, Id, Name, NullableString } from '../../contract/fields.ts'
import '../console-context.ts'
import { exampleSignedIn, SignedIn } from '../fields.ts'
import { signIn } from '../sign-in.ts'
import { readTicket, writeTicket } from '../ticket.ts'
import { noteSpent } from '../ticket-store.ts'
import { admit, domainOf } from './admit.ts'
import { type Errand, finishErrand, type ProviderAccess, startErrand } from './openid.ts'
import { findProvider, findProviderSecret, findProvidersOf, sealNameOf } from './provider-store.ts'

const shared = { group: 'Console', since: 'Ver5.2026-11-15', method: 'POST' } as const

export const beginProviderSignIn = publicEndpoint({
  ...shared,
  id: 'beginProviderSignIn',
  path: '/api/v5/console/session/provider/begin',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Ask where to sign in by the provider of an organization',
  description:
    'By OpenID Connect. The organization is named, or found by the domain of an address; where several speak for it, ' +
    'they are listed, and one of them is to be named.',
  input: Type.Object({
    corp_id: Type.Optional(described(Id, 'Organization ID')),
    email: Type.Optional(described(Email, 'Of whoever wants to sign in')),
    again: Type.Optional(
      Type.Boolean({ description: 'Whether to prove once more to be there, for what asks for confirmation' }),
    ),
  }),
  oneOfSets: [['corp_id'], ['email']],
  rules: ({ corp_id, email }) =>
    corp_id === undefined && email === undefined
      ? [{ param: 'corp_id', reason: 'is required (or email)', missing: true }]
      : [],
  data: Type.Object({
    url: described(NullableString, 'Where the browser is to go; null where an organization is to be named'),
    organizations: Type.Array(Type.Object({ corp_id: Id, name: Name })),
  }),
  example: {
    input: { email: 'wang.fang@lakeside.example' },
    data: { url: 'https://login.lakeside.example/auth?client_id=matricula&state=…', organizations: [] },
  },
  errors: ['providerNotFound', 'otherOrigin', 'siteUnknown', 'unavailable'],

  async handle(context, { corp_id, email, again = false }) {
    const { auth, door, now } = context
    const found = corp_id === undefined ? await findProvidersOf(door.of, domainOf(email!)) : []
    if (found.length > 1) return { url: null, organizations: found }
    const access = await accessTo(context, corp_id ?? found[0]?.corp_id)
    const { url, errand } = await startErrand(access, { isAgain: again, email }, now).catch(notAnswering)
    door.keepTicket(writeTicket(auth.keyring, 'provider', errand, now))
    return { url, organizations: [] }
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
  description: 'In the browser that began it. The session is one of an account of that organization.',
  input: Type.Object({
    returned: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'What the provider put behind the question mark of our address',
    }),
  }),
  data: SignedIn,
  example: { input: { returned: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' }, data: exampleSignedIn },
  errors: ['providerRefused', 'providerNotFound', 'otherOrigin', 'siteUnknown', 'unavailable'],

  async handle(context, { returned }) {
    const { auth, door, now } = context
    const ticket = readTicket<Errand>(auth.keyring, 'provider', door.ticket ?? '', now)
    if (!ticket) throw new ApiError('providerRefused')
    const errand = ticket.content
    const on = door.of(errand.corp_id)
    if (!(await noteSpent(on, errand.corp_id, ticket, now))) throw new ApiError('providerRefused')
    const access = await accessTo(context, errand.corp_id)
    const assertion = await finishErrand(access, errand, new URLSearchParams(returned)).catch(notAccepted)
    const admitted = await admit(on, access, assertion, errand, now)
    if (!admitted) throw new ApiError('providerRefused')
    door.keepTicket(null)
    return signIn(context, admitted.account, { vouched_at: admitted.vouched_at })
  },
})

/** An organization without a provider looks like one that does not exist. */
async function accessTo({ auth, door }: PublicContext, corp_id: string | undefined): Promise<ProviderAccess> {
  const provider = corp_id === undefined ? undefined : await findProvider(door.of(corp_id), corp_id)
  const sealed = provider && (await findProviderSecret(door.of(provider.corp_id), provider.corp_id))
  if (!provider || !sealed) throw new ApiError('providerNotFound')
  return {
    ...provider,
    client_secret: auth.keyring.open(sealNameOf(provider.corp_id), sealed),
    redirectUri: `${door.site().origin}/sign-in`,
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
