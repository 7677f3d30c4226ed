import * as openid from 'openid-client'
import { createFairShare, inTurn } from '../../../contract/limits/fair-share.ts'
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { OutboundReach } from '../../outbound/guarded-request.ts'
import { OutboundError, outboundProblems } from '../../outbound/outbound-error.ts'
import type { Provider } from './provider-store.ts'

/** A provider with its client secret and redirect URI. */
export interface ProviderAccess extends Provider, OutboundReach {
  client_secret: string
  redirectUri: string
}

/**
 * The state of a sign-in at the provider, which the browser carries sealed. It binds the state to the organization, the issuer
 * and the client: neither the browser nor a provider can change it or use it for another.
 */
export interface PendingSignIn {
  corp_id: string
  issuer: string
  client_id: string
  state: string
  nonce: string
  codeVerifier: string
  /** The start of a sign-in that confirms a session; null for others. */
  confirmsSinceMs: number | null
}

/** The claims of the provider about the person. */
export interface Assertion {
  email: string
  isVerified: boolean | undefined
  name: string | undefined
  authenticatedAt: Date | undefined
}

/** Each sign-in calls the provider. Each organization has few calls at a time. */
const turns = createFairShare({ places: 8, mostWaiting: 20, longestWaitMs: 5000 })

/** The address of the sign-in page, and the state to keep until the browser returns. */
export async function startSignIn(
  access: ProviderAccess,
  { confirms, email }: { confirms: boolean; email: string | undefined },
  now: Date,
): Promise<{ url: string; pending: PendingSignIn }> {
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
    // With max_age, a provider must return the time of authentication.
    ...(confirms ? { prompt: 'login', max_age: '0' } : { max_age: String(maxAgeSeconds) }),
    ...(email && { login_hint: email }),
  })
  const { corp_id, issuer, client_id } = access
  const confirmsSinceMs = confirms ? now.getTime() : null
  const pending = { corp_id, issuer, client_id, state, nonce, codeVerifier, confirmsSinceMs }
  return { url: url.href, pending }
}

const maxAgeSeconds = 12 * 60 * 60

/** Redeems the authorization code. Throws if the response does not match the pending sign-in. */
export async function finishSignIn(
  access: ProviderAccess,
  pending: PendingSignIn,
  returned: URLSearchParams,
): Promise<Assertion> {
  refuseOtherProvider(access, pending, returned)
  const claims = await inTurn(turns, access.corp_id, async () => {
    const configuration = await discover(access)
    // TLS already authenticates the token endpoint. The signature of the token is checked in addition.
    openid.enableNonRepudiationChecks(configuration)
    const tokens = await openid.authorizationCodeGrant(
      configuration,
      new URL(`${access.redirectUri}?${returned}`),
      { expectedState: pending.state, expectedNonce: pending.nonce, pkceCodeVerifier: pending.codeVerifier },
    )
    const claims = tokens.claims()
    if (!claims || !isSameIssuer(claims.iss, pending.issuer)) throw new ProviderError('other_issuer')
    // Many providers return the address only from the user info endpoint.
    if (claims.email !== undefined) return claims
    return { ...claims, ...(await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
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
 * Runs before the code is sent. The response must be for the organization, issuer and client of the pending sign-in. An
 * issuer in the response (RFC 9207) must be the same. The library requires it if the provider announces it.
 */
function refuseOtherProvider(
  access: ProviderAccess,
  pending: PendingSignIn,
  returned: URLSearchParams,
): void {
  const { corp_id, issuer, client_id } = pending
  const isSame = access.corp_id === corp_id && access.issuer === issuer && access.client_id === client_id
  const named = returned.getAll('iss')
  if (!isSame || !named.every((each) => isSameIssuer(each, issuer))) throw new ProviderError('other_issuer')
}

/** Ignores a trailing slash after the host, which administrators often omit. */
function isSameIssuer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/** Fetches the metadata of the provider. Throws if it has none. */
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
  // The library accepts another issuer for addresses with /.well-known and for Microsoft.
  if (!isSameIssuer(described.issuer, issuer)) throw new ProviderError('other_issuer')
  // Our page sends the browser there, so that other schemes such as javascript: are refused.
  const { authorization_endpoint: address = '' } = described
  const scheme = URL.canParse(address) ? new URL(address).protocol : ''
  if (scheme !== 'https:' && !(scheme === 'http:' && allowsPrivate)) throw new ProviderError('not_a_provider')
  return configuration
}

/** The problems of a provider, for administrators. Error texts of sockets and libraries are never shown. */
export const providerProblems = {
  ...outboundProblems,
  not_a_provider: 'The server does not respond as an OpenID Connect provider.',
  other_issuer: 'The provider names another issuer than this address.',
} as const

export type ProviderProblem = keyof typeof providerProblems

class ProviderError extends Error {
  readonly problem: ProviderProblem

  constructor(problem: ProviderProblem) {
    super(providerProblems[problem])
    this.problem = problem
  }
}

/** Error codes of the library, which makes some of the same checks. */
const problemsOfCodes: Record<string, ProviderProblem> = {
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'not_https',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'other_issuer',
}

/** The library nests errors; the first known one decides. */
export function problemOf(error: unknown): ProviderProblem {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundError || each instanceof ProviderError) return each.problem
    const known = problemsOfCodes[String((each as { code?: string }).code)]
    if (known) return known
  }
  return 'not_a_provider'
}
