import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import type { Call } from '../call.ts'
import { breakBody, readJsonObject } from './json-body.ts'

function callWith(request: IncomingMessage): Call {
  return { request, headers: [] as string[] } as Call
}

test('a body that breaks off is refused, whether the call reads it before or after', async () => {
  for (const readsFirst of [true, false]) {
    const request = new IncomingMessage(new Socket())
    request.headers['content-type'] = 'application/json'
    const call = callWith(request)
    const refusal = new ApiError('invalidParameter')
    const reading = readsFirst ? readJsonObject(call, 100) : undefined
    breakBody(request, refusal)
    await expect(reading ?? readJsonObject(call, 100)).rejects.toBe(refusal)
    expect(call.headers).toEqual(['connection', 'close'])
  }
})
