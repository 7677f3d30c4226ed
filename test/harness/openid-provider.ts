import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** What the provider says of somebody, by the name that they log in under. */
export type People = Record<string, { email?: string; email_verified?: boolean; name?: string }>

export interface OpenIdProvider {
  issuer: string
  /** Signs somebody in there as a browser would, and comes back with what is added to our address. */
  logIn(url: string, login: string): Promise<string>
  close(): Promise<void>
}

export const client = { client_id: 'matricula', client_secret: 'a secret of client and provider' }

/** A real provider, on this machine. */
export async function startOpenIdProvider(
  redirectUri: string,
  people: People,
  options: Configuration = {},
): Promise<OpenIdProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri], require_auth_time: true }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the provider'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people[sub] }),
    }),
    ...options,
  })
  server.on('request', provider.callback())
  return {
    issuer,
    logIn: (url, login) => logIn(url, login, redirectUri),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function logIn(start: string, login: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let request: [url: string, body?: URLSearchParams] = [start]
  for (let steps = 0; steps < 20; steps++) {
    const [url, body] = request
    if (url.startsWith(redirectUri)) return new URL(url).search.slice(1)
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
