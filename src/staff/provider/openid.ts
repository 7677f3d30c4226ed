import * as openid from 'openid-client'
import { createFairShare, inTurn } from '../../limits/fair-share.ts'
import { createProviderFetch, type ProviderReach } from './provider-fetch.ts'
import type { Provider } from './provider-store.ts'

/** A provider with what it takes to talk to it. */
export interface ProviderAccess extends Provider, ProviderReach {
  client_secret: string
  redirectUri: string
}

/** What the browser keeps for us, sealed, while somebody is at the provider. */
export interface Errand {
  corp_id: string
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

/** Where the browser is to go, and what to remember meanwhile. */
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
  const errand = { corp_id: access.corp_id, state, nonce, codeVerifier }
  return { url: url.href, errand: { ...errand, againSinceMs: isAgain ? now.getTime() : null } }
}

const longestAgoSeconds = 12 * 60 * 60

/** Redeems what the browser brought back. Throws where anything is not as it was asked for. */
export async function finishErrand(
  access: ProviderAccess,
  errand: Errand,
  returned: URLSearchParams,
): Promise<Assertion> {
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

/** Asks the provider what it is. Throws where there is none. */
export function discoverInTurn(access: ProviderAccess): Promise<openid.Configuration> {
  return inTurn(turns, access.corp_id, () => discover(access))
}

function discover(access: ProviderAccess): Promise<openid.Configuration> {
  const { issuer, client_id, client_secret, allowsPrivate } = access
  return openid.discovery(new URL(issuer), client_id, client_secret, undefined, {
    timeout: 10,
    [openid.customFetch]: createProviderFetch(access) as never,
    ...(allowsPrivate && { execute: [openid.allowInsecureRequests] }),
  })
}
