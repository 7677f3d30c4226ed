import { createHash } from 'node:crypto'
import { curlOf } from './curl.ts'

export type Row = Record<string, unknown>

export interface Call {
  method: 'GET' | 'POST' | 'PUT'
  /** Below /api/v5/. */
  path: string
  input?: Row
  headers?: Record<string, string>
  /** Absent: the token of the kit. Null: no token. */
  token?: string | null
  /** Sent instead of the input. */
  rawBody?: string
}

/** A call and its response. */
export interface Exchange {
  curl: string
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined if it is none. */
  body: unknown
  /** Members of the envelope, undefined where the body has none. */
  code: unknown
  msg: unknown
  // biome-ignore lint/suspicious/noExplicitAny: checks look into data of every shape.
  data: any
  sentAt: Date
  receivedAt: Date
}

export interface Account {
  baseUrl: string
  appId: string
  secret: string
}

/** The server gives no response, or no token: nothing can be checked. */
export class Unreachable extends Error {}

const timeoutMs = 60_000

/** Calls the server with the account of the kit. */
export class Caller {
  readonly account: Account
  #token: Promise<string> | undefined
  #secrets = new Set<string>()

  constructor(account: Account) {
    this.account = account
    this.#secrets.add(account.secret)
  }

  async send({ method, path, input = {}, headers = {}, token, rawBody }: Call): Promise<Exchange> {
    const bearer = token === undefined ? await this.token() : token
    const query = method === 'GET' ? `${new URLSearchParams(Object.entries(input).map(asText))}` : ''
    const url = `${this.account.baseUrl}/api/v5/${path}${query && `?${query}`}`
    const sent = {
      'Content-Type': 'application/json; charset=utf-8',
      ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
      ...headers,
    }
    const body = method === 'GET' ? undefined : (rawBody ?? JSON.stringify(input))
    const curl = this.mask(curlOf(method, url, sent, body))
    const sentAt = new Date()
    const init = {
      method,
      headers: sent,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    }
    try {
      const response = await fetch(url, init)
      const text = await response.text()
      return {
        curl,
        ...readEnvelope(text),
        status: response.status,
        headers: response.headers,
        text,
        sentAt,
        receivedAt: new Date(),
      }
    } catch (error) {
      const { message, cause } = error as Error
      throw new Unreachable(`${url} gives no response: ${cause instanceof Error ? cause.message : message}`)
    }
  }

  /** The body of a token request, with a signature of its own. */
  signed(secret = this.account.secret): { app_id: string; time_stamp: string; signature: string } {
    const { appId } = this.account
    const time_stamp = String(Math.floor(Date.now() / 1000))
    const signature = createHash('sha256').update(`${appId}${time_stamp}${secret}`).digest('hex')
    this.#secrets.add(signature)
    return { app_id: appId, time_stamp, signature }
  }

  /** Asks for a token. */
  async askForToken(input: Row = this.signed()): Promise<Exchange> {
    const exchange = await this.send({ method: 'POST', path: 'authentication/token', input, token: null })
    const { token } = exchange.data ?? {}
    if (typeof token === 'string' && token.length > 8) this.#secrets.add(token)
    return exchange
  }

  token(): Promise<string> {
    this.#token ??= this.askForToken().then(({ data, status, text }) => {
      if (typeof data?.token === 'string') return data.token
      throw new Unreachable(
        `authentication/token gives no token, but status ${status}: ${this.mask(text.slice(0, 500))}`,
      )
    })
    return this.#token
  }

  /** The first message of a stream of server-sent events. */
  async firstOfStream(path: string, query: Record<string, string>) {
    const left = new AbortController()
    const url = `${this.account.baseUrl}/api/v5/${path}?${new URLSearchParams(query)}`
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { headers: { Authorization: `Bearer ${await this.token()}` }, signal })
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (/^data:.*\n\r?\n/m.test(text)) break
    }
    left.abort()
    const line = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text)?.[1] ?? ''
    const { body: data } = readEnvelope(line('data'))
    return { contentType: response.headers.get('content-type'), id: line('id'), data }
  }

  /** The text without the secret, tokens and signatures. */
  mask(text: string): string {
    let masked = text
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '***')
    return masked
  }
}

function asText([name, value]: [string, unknown]): [string, string] {
  return [name, String(value)]
}

function readEnvelope(text: string): Pick<Exchange, 'body' | 'code' | 'msg' | 'data'> {
  try {
    const body = JSON.parse(text)
    return { body, code: body?.code, msg: body?.msg, data: body?.data }
  } catch {
    return { body: undefined, code: undefined, msg: undefined, data: undefined }
  }
}
