/** The package brings no types; of its own, the tests use this much. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export type Configuration = Record<string, unknown>
  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
