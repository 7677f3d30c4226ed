import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { en } from '../console/src/languages/en.ts'
import { createSession } from '../src/access/staff/create-session.ts'
import { redirectAddressOf } from '../src/access/staff/provider/redirect-address.ts'
import { referenceTables, tenantTables, unauditedTables } from '../src/database/tables.ts'
import { consoleFolder, findBuild } from '../src/server/console/console-build.ts'
import { screens } from '../src/server/pages/console.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('the files of the console', () => {
  test.each(screens)('%s is answered with the page, under a strict policy', async (path) => {
    const response = await fetch(`${server.url}${path.replace(':id', 'some-id')}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toMatch(/style-src 'self' 'nonce-[A-Za-z0-9+/=]{24}';/)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    expect(page).not.toContain('{{nonce}}')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/)
  })

  test('no two pages share a nonce', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(`${server.url}/today`)).headers.get('content-security-policy')),
    )
    expect(policies[0]).not.toBe(policies[1])
  })

  test('the redirect URI of a provider is a page for every organization', async () => {
    const address = redirectAddressOf(server.url, '学'.repeat(64))
    expect((await fetch(`${address}?code=x&state=y`)).status).toBe(200)
    for (const path of ['/sign-in/%zz', '/sign-in/%e5', '/sign-in/a%2f/b', '/sign-in%2fa', '/sign-in/a%2'])
      expect(await server.send(path), path).toMatchObject({ status: 404, code: 40404 })
  })

  test('the screens are exactly those of the router', async () => {
    const router = await readFile(join(consoleFolder, 'src/app/router.tsx'), 'utf8')
    const paths = [
      ...router.matchAll(/(?:getParentRoute: \(\) =>|screen\()\s*(\w+),\s+(?:path: )?'([^']+)'/g),
    ].map(([, parent, path]) => (path!.startsWith('/') ? path! : `/${parent}/${path!}`).replace('$', ':'))
    expect(paths.toSorted()).toEqual(['/', ...screens].toSorted())
  })

  test('/ leads to Today', async () => {
    const response = await fetch(server.url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/today'])
  })

  test.each(['/todays', '/today/', '/people/a/b', '/assets/index.js', '/assets/..%2findex.html', '/console'])(
    '%s is no page',
    async (path) => {
      expect(await server.send(path)).toMatchObject({ status: 404, code: 40404 })
    },
  )

  test('an unknown page is reported by the console to a browser, and in the envelope to programs', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const kindOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
      // The headers of fetch show that it is no navigation.
      const asked = request(`${server.url}${path}`, { method, headers }).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode, path).toBe(404)
      return response.headers['content-type']
    }
    const [page, json] = ['text/html; charset=utf-8', 'application/json; charset=utf-8']
    for (const headers of [browser, { ...browser, 'sec-fetch-mode': 'navigate' }])
      expect(await kindOf('/nowhere?a=1', headers)).toBe(page)
    for (const path of [
      '/api',
      '/api/v5/nowhere',
      '/docs/nowhere',
      '/assets/none.js',
      '/exports/a',
      '/receipts/a',
    ])
      expect(await kindOf(path, browser), path).toBe(json)
    expect(await kindOf('/nowhere', { ...browser, 'sec-fetch-mode': 'cors' })).toBe(json)
    expect(await kindOf('/nowhere', browser, 'POST')).toBe(json)
    expect(await kindOf('/nowhere', { accept: 'application/json' })).toBe(json)
  })

  test('assets may be cached forever, and are compressed for clients that accept it', async () => {
    const [asset] = (await (await fetch(`${server.url}/today`)).text()).match(/\/assets\/[^"]+\.js/)!
    const plain = await fetch(`${server.url}${asset}`, { headers: { 'accept-encoding': 'identity' } })
    const content = await plain.text()
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(`${server.url}${asset}`, { headers: { 'accept-encoding': encoding } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(await response.text()).toBe(content)
    }
  })

  test('every kind of record in the activity log has a label', () => {
    const kinds = [...tenantTables, ...referenceTables].filter((table) => !unauditedTables.includes(table))
    expect(kinds.filter((kind) => !(kind in en.activity.records))).toEqual([])
  })

  test('they contain no code of the service', async () => {
    const assets = join((await findBuild(tmpdir()))!, 'assets')
    for (const name of (await readdir(assets)).filter((each) => each.endsWith('.js'))) {
      const code = await readFile(join(assets, name), 'utf8')
      expect(code).not.toMatch(/corp_id = |node:crypto|pg_catalog/)
    }
  })
})

test('a page of another site can sign nobody in', async () => {
  const { email, password } = inject('sample').staff[0]!
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
    {},
  ] as Record<string, string>[]) {
    const refused = await server.call(createSession, { email, password }, { token: null, headers })
    expect(refused).toMatchObject({ status: 403, code: 40305 })
    expect(refused.headers.get('set-cookie')).toBeNull()
  }
})
