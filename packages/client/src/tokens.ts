import type { MatriculaOptions } from './call-options.ts'
import type { Caller } from './caller.ts'
import { sha256 } from './digests.ts'
import { operations } from './generated/operations.ts'
import type { IssueTokenData } from './generated/types.ts'
import { operationOf } from './operation.ts'

/** A token is renewed this long before it ends. */
const marginMs = 60_000

const issue = operationOf('tokens.issue', operations.tokens.issue)

/** The access token of an account. One renewal serves all calls that wait for it. */
export class Tokens {
  readonly #caller: Caller
  readonly #options: MatriculaOptions
  #token = ''
  #endsAtMs = 0
  #renewal: Promise<string> | undefined

  constructor(caller: Caller, options: MatriculaOptions) {
    this.#caller = caller
    this.#options = options
  }

  current(): string | Promise<string> {
    if (this.#caller.nowMs() < this.#endsAtMs - marginMs) return this.#token
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  /** Forgets a token that was refused, unless there is a newer one already. */
  discard(token: string): void {
    if (token === this.#token) this.#endsAtMs = 0
  }

  async #renew(): Promise<string> {
    const { appId, secret } = this.#options
    const url = this.#caller.urlOf(issue)
    const data = await this.#caller.send(issue, {}, async () => {
      // Some accounts accept a time stamp once. The fraction differs in every process.
      const fraction = String(Math.random()).slice(2, 10)
      const time_stamp = `${this.#caller.nowMs()}.${fraction}`
      const signature = await sha256(appId + time_stamp + secret)
      const body = JSON.stringify({ app_id: appId, time_stamp, signature })
      return { url, body, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
    })
    const { token, expire_time } = data as IssueTokenData
    this.#token = token
    this.#endsAtMs = Date.parse(expire_time)
    return token
  }
}
