import { randomBytes } from 'node:crypto'
import type { Account, Call, Exchange, Row } from './caller.ts'
import { Caller } from './caller.ts'
import { expect, Skipped } from './check.ts'

export interface KitOptions extends Account {
  corpId: string
  readOnly: boolean
  /** A category of tag groups that `--read-only` may list. */
  category?: string
}

/** A record that the kit created, and its clean-up. */
export interface Made {
  kind: 'tag group' | 'user' | 'lead'
  id: string
}

/** The shared state of checks: the caller, the created records, and responses that several checks use. */
export class Kit {
  readonly caller: Caller
  readonly options: KitOptions
  /** The beginning of every text that the kit generates. */
  readonly prefix = `mconf-${randomBytes(4).toString('hex')}-`
  readonly startedAt = new Date()
  readonly made: Made[] = []
  readonly warnings = new Set<string>()
  #shared = new Map<string, Promise<unknown>>()
  #count = 0

  constructor(options: KitOptions) {
    this.options = options
    this.caller = new Caller(options)
  }

  get corp_id(): string {
    return this.options.corpId
  }

  /** A text that is used once. */
  unique(): string {
    return `${this.prefix}${++this.#count}`
  }

  /** Does the work for the first check that needs it; the others share its result. */
  once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#shared.get(key) as Promise<Result> | undefined
    if (known) return known
    const result = work()
    this.#shared.set(key, result)
    return result
  }

  /** A call on the organization. */
  call(method: Call['method'], path: string, input: Row = {}, rest: Partial<Call> = {}): Promise<Exchange> {
    return this.caller.send({ method, path, input: { corp_id: this.corp_id, ...input }, ...rest })
  }

  get(path: string, input: Row = {}): Promise<Exchange> {
    return this.call('GET', path, input)
  }

  /** A call that must succeed. */
  async take(
    method: 'GET' | 'POST',
    path: string,
    input: Row = {},
    rest: Partial<Call> = {},
  ): Promise<Exchange> {
    const exchange = await this.call(method, path, input, rest)
    expect(exchange.code === 0, 'code 0', shortOf(exchange), exchange)
    return exchange
  }

  requireWrites(): void {
    if (this.options.readOnly) throw new Skipped('It needs a record that --read-only does not create.')
  }
}

/** The status and the beginning of a response. */
export function shortOf({ status, text }: Exchange): string {
  return `HTTP ${status} ${text.slice(0, 300)}`
}
