import * as openid from 'openid-client'
import { createFairShare, inTurn } from '../../../contract/limits/fair-share.ts'
import { createGuardedFetch, type OutboundReach } from '../../outbound/guarded-fetch.ts'
import { ProviderError } from './provider-error.ts'
import type { Provider } from './provider-store.ts'

/** A provider with what it takes to talk to it. */
export interface ProviderAccess extends Provider, OutboundReach {
  client_secret: string
  redirectUri: string
}

/**
 * What the browser keeps for us, sealed, while somebody is at the provider. It binds the state to the organization, the issuer
 * and the client: neither the browser nor a provider can change it or move the state to another.
 */
export interface Errand {
  corp_id: string
  issuer: string
  client_id: string
  state: string
  nonce: string
  codeVerifier: string
  /** Whether they were to prove once more to be there, and since when. */
  againSinceMs: number | null
}

/** What the provider says of whoever came back. */
export interface Assertion {
  email: string
  isVerified: boolean | undefined
  name: string | undefined
  authenticatedAt: Date | undefined
}

/** Whoever signs in makes us call the provider: some at a time, for each organization. */
const turns = createFairShare({ places: 8, mostWaiting: 20, longestWaitMs: 5000 })

/** The address that the browser goes to, and the errand to keep until it comes back. */
export async function startErrand(
  access: ProviderAccess,
  { isAgain, email }: { isAgain: boolean; email: string | undefined },
  now: Date,
): Promise<{ url: string; errand: Errand }> {
  const codeVerifier = openid.randomPKCECodeVerifier()
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const configuration = await discoverInTurn(access)
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: access.redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // With max_age, a provider has to say when they proved to be there.
    ...(isAgain ? { prompt: 'login', max_age: '0' } : { max_age: String(longestAgoSeconds) }),
    ...(email && { login_hint: email }),
  })
  const { corp_id, issuer, client_id } = access
  const errand = { corp_id, issuer, client_id, state, nonce, codeVerifier }
  return { url: url.href, errand: { ...errand, againSinceMs: isAgain ? now.getTime() : null } }
}

const longestAgoSeconds = 12 * 60 * 60

/** Redeems the code that the browser brought back. Throws where anything is not as it was asked for. */
export async function finishErrand(
  access: ProviderAccess,
  errand: Errand,
  returned: URLSearchParams,
): Promise<Assertion> {
  refuseOtherProvider(access, errand, returned)
  const claims = await inTurn(turns, access.corp_id, async () => {
    const configuration = await discover(access)
    // The connection alone would prove where the token is from; its signature is checked all the same.
    openid.enableNonRepudiationChecks(configuration)
    const tokens = await openid.authorizationCodeGrant(
      configuration,
      new URL(`${access.redirectUri}?${returned}`),
      { expectedState: errand.state, expectedNonce: errand.nonce, pkceCodeVerifier: errand.codeVerifier },
    )
    const told = tokens.claims()!
    if (!isSameIssuer(told.iss, errand.issuer)) throw new ProviderError('other_issuer')
    // Many tell the address only when they are asked once more.
    if (told.email !== undefined) return told
    return { ...told, ...(await openid.fetchUserInfo(configuration, tokens.access_token, told.sub)) }
  })
  const { email, email_verified, name, auth_time } = claims
  return {
    email: typeof email === 'string' ? email : '',
    isVerified: typeof email_verified === 'boolean' ? email_verified : undefined,
    name: typeof name === 'string' ? name : undefined,
    authenticatedAt: typeof auth_time === 'number' ? new Date(auth_time * 1000) : undefined,
  }
}

/**
 * Before the code is sent anywhere. The answer must be for the organization, issuer and client that the errand was begun
 * with. An issuer that the answer names (RFC 9207) must be that one; the library demands it where the provider announces
 * that it sends it.
 */
function refuseOtherProvider(access: ProviderAccess, errand: Errand, returned: URLSearchParams): void {
  const { corp_id, issuer, client_id } = errand
  const isSame = access.corp_id === corp_id && access.issuer === issuer && access.client_id === client_id
  const named = returned.getAll('iss')
  if (!isSame || !named.every((each) => isSameIssuer(each, issuer))) throw new ProviderError('other_issuer')
}

/** Administrators leave out the slash behind a host, and providers do not always. */
function isSameIssuer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/** Asks the provider for its description. Throws where there is none. */
export function discoverInTurn(access: ProviderAccess): Promise<openid.Configuration> {
  return inTurn(turns, access.corp_id, () => discover(access))
}

async function discover(access: ProviderAccess): Promise<openid.Configuration> {
  const { issuer, client_id, client_secret, allowsPrivate } = access
  const configuration = await openid.discovery(new URL(issuer), client_id, client_secret, undefined, {
    timeout: 10,
    [openid.customFetch]: createGuardedFetch(access) as never,
    ...(allowsPrivate && { execute: [openid.allowInsecureRequests] }),
  })
  const described = configuration.serverMetadata()
  // The library lets some addresses describe another issuer: those with /.well-known in them, and Microsoft's.
  if (!isSameIssuer(described.issuer, issuer)) throw new ProviderError('other_issuer')
  // The browser is sent there from our page, so it must not be an address of another kind, such as javascript:.
  const { authorization_endpoint: address = '' } = described
  const scheme = URL.canParse(address) ? new URL(address).protocol : ''
  if (scheme !== 'https:' && !(scheme === 'http:' && allowsPrivate)) throw new ProviderError('not_a_provider')
  return configuration
}
