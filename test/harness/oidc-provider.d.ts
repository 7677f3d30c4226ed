/** The package has no types. The tests use these parts. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export type Configuration = Record<string, unknown>
  export interface Context {
    path: string
    body: Record<string, unknown>
    response: { get(header: string): string }
    set(header: string, value: string): void
  }
  export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>
  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    Client: { prototype: { redirectUriAllowed(address: string): boolean } }
    use(middleware: Middleware): void
    callback(): RequestListener
  }
}
