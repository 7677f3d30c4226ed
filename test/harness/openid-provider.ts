import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type Middleware } from 'oidc-provider'

/** The claims of each person, by login name. */
export type People = Record<string, { email?: string; email_verified?: boolean; name?: string }>

export interface OpenIdProvider {
  issuer: string
  /** Registers a redirect URI. */
  register(redirectUri: string): void
  /** Signs a person in as a browser would. Returns the query string of the redirect to our address. */
  logIn(url: string, login: string): Promise<string>
  /** The same, with the whole redirect address. */
  comeBack(url: string, login: string): Promise<URL>
  close(): Promise<void>
}

export const client = { client_id: 'matricula', client_secret: 'a secret of client and provider' }

export interface OpenIdProviderOptions extends Configuration {
  /** Whether its responses name the issuer (RFC 9207), which most providers do not. */
  sendsIssuer?: boolean
}

/** A real provider on this machine. It redirects people to addresses of this site. */
export async function startOpenIdProvider(
  site: string,
  people: People,
  { sendsIssuer = true, ...options }: OpenIdProviderOptions = {},
): Promise<OpenIdProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const registered = new Set<string>()
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${site}/sign-in`], require_auth_time: true }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the provider'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people[sub] }),
    }),
    ...options,
  })
  provider.Client.prototype.redirectUriAllowed = (address) => registered.has(address)
  if (!sendsIssuer) provider.use(withoutIssuer)
  server.on('request', provider.callback())
  const comeBack = (url: string, login: string) => logIn(url, login, `${site}/sign-in`)
  return {
    issuer,
    register: (redirectUri) => void registered.add(redirectUri),
    logIn: async (url, login) => (await comeBack(url, login)).search.slice(1),
    comeBack,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Removes metadata of the provider beyond OpenID Connect. */
const withoutIssuer: Middleware = async (context, next) => {
  await next()
  if (context.path === '/.well-known/openid-configuration')
    delete context.body.authorization_response_iss_parameter_supported
  const location = context.response.get('location')
  if (!URL.canParse(location)) return
  const url = new URL(location)
  url.searchParams.delete('iss')
  context.set('location', url.href)
}

async function logIn(start: string, login: string, home: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let request: [url: string, body?: URLSearchParams] = [start]
  for (let steps = 0; steps < 20; steps++) {
    const [url, body] = request
    if (url.startsWith(home)) return new URL(url)
    const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { Cookie, Host: new URL(url).host }
    const response = await fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (location) request = [new URL(location, url).href]
    else if (prompt)
      request = [new URL(action ?? url, url).href, new URLSearchParams({ prompt, login, password: 'any' })]
    else throw new Error(`The provider answered ${response.status} to ${url}: ${page.slice(0, 500)}`)
  }
  throw new Error('The provider leads nowhere.')
}
