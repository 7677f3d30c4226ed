import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Stage } from './stage.ts'
import { type Input, validInput } from './valid-inputs.ts'

const handled = 'tracing:fastify.request.handler:start'

/** A read is answered past the router or through it; nobody may be able to tell. */
export function testQuickReads(endpoint: Endpoint, stage: Stage): void {
  test('alike on the fast path and on the usual way', async () => {
    const valid = validInput(endpoint, stage.school)
    let quick = await read(valid)
    // The server looks the account up anew every second; one of two calls in a row is not at that moment.
    if (quick.isRouted) quick = await read(valid)
    expect(quick.isRouted).toBe(false)
    const usual = await read(valid, { 'X-APP-ID': stage.server.sample.app_id })
    expect(usual.isRouted).toBe(true)
    expect(quick.answer).toEqual(usual.answer)
  })

  test('and fails alike', async () => {
    for (const input of [
      { ...validInput(endpoint, stage.school), corp_id: stage.otherSchool.corp_id },
      unknownRecord(validInput(endpoint, stage.school)),
    ]) {
      const quick = await read(input)
      const usual = await read(input, { 'X-APP-ID': stage.server.sample.app_id })
      expect(quick.answer).toEqual(usual.answer)
    }
  })

  async function read(input: Input, headers: Record<string, string> = {}) {
    // So that the token and its account are known to the server.
    await stage.server.call(endpoint, validInput(endpoint, stage.school), { token: stage.tokens.sample })
    let isRouted = false
    const note = () => {
      isRouted = true
    }
    subscribe(handled, note)
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))
    const response = await fetch(`${stage.server.url}${endpoint.path}?${query}`, {
      headers: { Authorization: `Bearer ${stage.tokens.sample}`, ...headers },
    })
    const body = (await response.text()).replace(/"request_id":"\w+"/, '')
    unsubscribe(handled, note)
    const shown = Object.fromEntries(response.headers)
    for (const name of ['date', 'x-request-id']) {
      expect(shown[name]).toBeDefined()
      delete shown[name]
    }
    return { isRouted, answer: { status: response.status, headers: shown, body } }
  }
}

function unknownRecord(input: Input): Input {
  const ids = Object.keys(input).filter((name) => name.endsWith('_id') && name !== 'corp_id')
  return { ...input, ...Object.fromEntries(ids.map((name) => [name, 'nobody'])) }
}
