import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signatureOf } from '../../src/access/tokens/signature.ts'

/** The outcome of a call and its duration. */
export interface TimedAnswer {
  status: number
  retryAfter: string | null
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
  data: any
  ms: number
}

/** The sample account, as a program that calls a server in another process. */
interface SampleCaller {
  app_id: string
  corp_id: string
  /** Tokens live two hours. */
  signIn(): Promise<void>
  get(path: string, query?: Record<string, string>): Promise<TimedAnswer>
  post(path: string, body?: object): Promise<TimedAnswer>
}

export async function callAsSample(dataDir: string): Promise<SampleCaller> {
  const { base_url, app_id, user_api_secret, corp_id } = JSON.parse(
    await readFile(join(dataDir, 'sample.json'), 'utf8'),
  )
  let token = ''
  async function call(path: string, init: RequestInit): Promise<TimedAnswer> {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const beganMs = performance.now()
    const response = await fetch(`${base_url}/api/v5/${path}`, { ...init, headers })
    const { code, data } = (await response.json()) as Pick<TimedAnswer, 'code' | 'data'>
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, code, data, ms: performance.now() - beganMs }
  }
  const caller: SampleCaller = {
    app_id,
    corp_id,
    async signIn() {
      const time_stamp = String(Date.now())
      const signature = signatureOf(app_id, time_stamp, user_api_secret)
      token = (await caller.post('authentication/token', { app_id, time_stamp, signature })).data.token
    },
    get: (path, query = {}) => call(`${path}?${new URLSearchParams({ corp_id, ...query })}`, {}),
    post: (path, body = {}) => call(path, { method: 'POST', body: JSON.stringify({ corp_id, ...body }) }),
  }
  await caller.signIn()
  return caller
}
