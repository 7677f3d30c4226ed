import type { CallOptions, MatriculaOptions } from './call-options.ts'
import { hmacSha256, sha256 } from './digests.ts'
import { ConnectionError, type ErrorCode, MatriculaError } from './errors.ts'
import type { Operation } from './operation.ts'
import { Stamps } from './stamps.ts'
import { Tokens } from './tokens.ts'
import { pause, retryAfterOf, waitBefore } from './waits.ts'

/** Retried by itself. A service that is read-only (50302) stays so for minutes. */
const retried: ErrorCode[] = [40106, 40114, 40905, 42901, 50301]
/** The token ended before its time. */
const tokenEnded: ErrorCode[] = [40102, 40103, 40104]

type Input = Record<string, unknown>

const jsonType = 'application/json; charset=utf-8'

/** The request of an attempt. The headers are its own: the id of the call is added. */
interface Sent {
  url: string
  body: string | undefined
  headers: Record<string, string>
}

interface Attempt {
  operation: Operation
  requestId: string
  attempt: number
  options: CallOptions
}

/** Sends calls: with a token, a signature and a key where they need them, again where that is safe. */
export class Caller {
  readonly options: MatriculaOptions
  readonly #base: string
  readonly #tokens: Tokens
  readonly #stamps = new Stamps()
  /** The clock of the service less our own, as far as it is known. */
  #skewMs = 0

  constructor(options: MatriculaOptions) {
    this.options = options
    this.#base = options.baseUrl.replace(/\/+$/, '')
    this.#tokens = new Tokens(this, options)
  }

  /** The time of the service. */
  nowMs(): number {
    return Date.now() + this.#skewMs
  }

  async call(operation: Operation, input: Input = {}, options: CallOptions = {}): Promise<unknown> {
    const { method, path, name } = operation
    const isPublic = name === 'tokens.issue'
    const sent = isPublic || name === 'tokens.verify' ? input : { corp_id: this.options.corpId, ...input }
    const isGet = method === 'GET'
    const key = isGet || isPublic ? undefined : (options.idempotencyKey ?? crypto.randomUUID())
    const url = this.#base + path + (isGet ? queryOf(sent) : '')
    const body = isGet ? undefined : JSON.stringify(sent, exactly)
    let token = ''
    let isRenewed = false
    return this.send(operation, options, async (failure) => {
      if (failure && isTokenFault(failure, operation)) {
        this.#tokens.discard(token)
        if (isRenewed) return undefined
        isRenewed = true
      }
      const headers: Record<string, string> = {}
      if (!isPublic) {
        token = await this.#tokens.current()
        headers.Authorization = `Bearer ${token}`
      }
      if (!isGet) headers['Content-Type'] = jsonType
      if (key !== undefined) headers['Idempotency-Key'] = key
      if (operation.isSigned) Object.assign(headers, await this.#signature(path, body!))
      return { url, body, headers }
    })
  }

  /**
   * Attempts a call until it is answered. `prepare` makes each attempt, knowing the code of the failure before; undefined: the
   * failure stays.
   */
  async send(
    operation: Operation,
    options: CallOptions,
    prepare: (failed?: ErrorCode) => Promise<Sent | undefined>,
  ): Promise<unknown> {
    const { retries = this.options.retries ?? 5, signal } = options
    const { longestWaitMs = 65_000 } = this.options
    const requestId = options.requestId ?? crypto.randomUUID()
    let failure: MatriculaError | ConnectionError | undefined
    for (let attempt = 0; ; attempt++) {
      const code = failure instanceof MatriculaError ? failure.code : undefined
      const sent = await prepare(code)
      if (!sent) throw failure
      signal?.throwIfAborted()
      sent.headers['X-Request-Id'] = requestId
      const outcome = await this.#attempt(sent, { operation, requestId, attempt, options })
      if (!('failure' in outcome)) return outcome.data
      failure = outcome.failure
      const { retryAfterMs } = failure
      const isRetried = failure instanceof MatriculaError ? retried.includes(failure.code) : failure.retryable
      if (failure instanceof MatriculaError && isTokenFault(failure.code, operation)) continue
      if (!isRetried || attempt >= retries || (retryAfterMs ?? 0) > longestWaitMs) throw failure
      await pause(waitBefore(attempt, retryAfterMs), signal)
    }
  }

  /** The address of an operation. */
  urlOf({ path }: Operation): string {
    return this.#base + path
  }

  async #attempt(
    sent: Sent,
    each: Attempt,
  ): Promise<{ data: unknown } | { failure: MatriculaError | ConnectionError }> {
    let response: Response
    let text: string
    try {
      ;[response, text] = await this.#exchange(sent, each)
    } catch (cause) {
      each.options.signal?.throwIfAborted()
      this.#note(each)
      const reason = cause instanceof Error ? cause.message : String(cause)
      return { failure: new ConnectionError(circumstancesOf(each), `No answer: ${reason}`, { cause }) }
    }
    const { headers, status } = response
    this.#note(each, response)
    const ignored = headers.get('x-ignored-parameters')
    if (ignored) this.#warn(each.operation, ignored)
    const envelope = envelopeOf(text)
    if (envelope?.code === 0 && response.ok) return { data: envelope.data }
    const retryAfterMs = retryAfterOf(headers, this.nowMs())
    if (envelope && envelope.code !== 0) {
      if (envelope.code === 40106 || envelope.code === 40114) this.setClock(headers)
      return { failure: new MatriculaError(envelope, circumstancesOf(each), retryAfterMs) }
    }
    // A failure of the service that arrived in part.
    const isCut = /json/.test(headers.get('content-type') ?? '')
    const reason = `The answer is not one of the service: HTTP ${status}`
    return { failure: new ConnectionError(circumstancesOf(each), reason, { status, retryAfterMs, isCut }) }
  }

  async #exchange(
    { url, body, headers }: Sent,
    { operation: { method }, options }: Attempt,
  ): Promise<[Response, string]> {
    const { fetch = globalThis.fetch } = this.options
    const { signal, timeoutMs = this.options.timeoutMs ?? 30_000 } = options
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => controller.abort(new Error(`timeout after ${timeoutMs} ms`)), timeoutMs)
    try {
      const init: RequestInit = { method, headers, redirect: 'manual', signal: controller.signal }
      if (body !== undefined) init.body = body
      const response = await fetch(url, init)
      return [response, await response.text()]
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Takes the time of the service from an answer. */
  setClock(headers: Headers): void {
    const time = Date.parse(headers.get('date') ?? '')
    if (!Number.isNaN(time)) this.#skewMs = time - Date.now()
  }

  /** A signature works once, so each attempt at a call, and each of several equal calls, has a time stamp of its own. */
  async #signature(path: string, body: string): Promise<Record<string, string>> {
    const hash = await sha256(body)
    const stamp = String(this.#stamps.next(path + hash, Math.floor(this.nowMs() / 1000)))
    const lines = [stamp, 'POST', path, hash].join('\n')
    return { 'X-Signature-Timestamp': stamp, 'X-Signature': await hmacSha256(this.options.secret, lines) }
  }

  #note({ operation, requestId, attempt }: Attempt, response?: Response): void {
    this.options.onResponse?.({
      operation: operation.name,
      requestId,
      attempt,
      status: response?.status ?? 0,
      isReplayed: response?.headers.get('idempotent-replayed') === 'true',
    })
  }

  #warn({ name }: Operation, names: string): void {
    const ignored = names.split(',').map((each) => each.trim())
    const message = `${name} does not know these parameters, and ignored them: ${ignored.join(', ')}`
    this.warn({ operation: name, message, ignored })
  }

  warn(warning: Parameters<NonNullable<MatriculaOptions['onWarning']>>[0]): void {
    const { onWarning = ({ message }) => console.warn(`Matricula: ${message}`) } = this.options
    onWarning(warning)
  }
}

function isTokenFault(code: ErrorCode, { name }: Operation): boolean {
  return tokenEnded.includes(code) && name !== 'tokens.issue'
}

function circumstancesOf({ operation, requestId, attempt }: Attempt) {
  return { operation: operation.name, requestId, attempts: attempt + 1 }
}

function queryOf(input: Input): string {
  let query = ''
  for (const name in input) {
    const value = input[name]
    if (value !== undefined && value !== null)
      query += `${query ? '&' : '?'}${name}=${encodeURIComponent(String(value))}`
  }
  return query
}

/** Amounts may be bigints. A number that JSON cannot carry exactly is refused, not rounded. */
function exactly(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  if (!Number.isSafeInteger(Number(value))) throw new RangeError(`${name} is too large: ${value}`)
  return Number(value)
}

function envelopeOf(text: string): { code: number; msg: string; data: unknown } | undefined {
  try {
    const envelope = JSON.parse(text)
    return typeof envelope?.code === 'number' && 'data' in envelope ? envelope : undefined
  } catch {
    return undefined
  }
}
