import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Role, roleNames, roles } from '../../src/access/staff/roles.ts'
import type { Permission } from '../../src/contract/caller.ts'
import { catalogue } from '../../src/endpoints.ts'
import { fingerprint } from '../conformance/school.ts'
import { attemptsOf } from '../harness/attempts.ts'
import { openBrowser } from '../harness/browser.ts'
import { goTo, openScreen } from '../harness/console-page.ts'
import { screensOf } from '../harness/screens.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sayIn } from '../harness/words.ts'

let server: TestServer
let browser: Browser
let screens: Awaited<ReturnType<typeof screensOf>>
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  screens = await screensOf(server)
}, 600_000)
afterEach(() => server.setNow(undefined))
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const say = sayIn('en-GB')
const may = (role: Role, permission: Permission) => (roles[role] as readonly string[]).includes(permission)

/** The roles with the fewest permissions; `npm run test:long` tests all roles. */
const seen = roleNames
  .toSorted((one, other) => roles[one].length - roles[other].length)
  .slice(0, attemptsOf('MATRICULA_ROLES', 2))

describe.each(seen)('a %s', (role) => {
  test('is offered exactly the permitted actions on every screen', {
    timeout: 300_000,
  }, async () => {
    const { page, complaints } = await openScreen(browser, server.url, '/today', role)
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    for (const { path, needs, offers = {} } of screens) {
      await goTo(page, path)
      const isTold = (await page.getByText(say('common.notAllowed')).count()) > 0
      expect([path, isTold]).toEqual([path, needs !== undefined && !may(role, needs)])
      for (const [permission, controls] of Object.entries(offers) as [Permission, string[]][])
        for (const control of controls)
          expect([path, control, await isOffered(page, say(control))]).toEqual([
            path,
            control,
            may(role, permission),
          ])
    }
    // No screen requests data that its reader may not see.
    expect(refused).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe.each(roleNames)('a %s', (role) => {
  test('is refused everything the role does not permit, from the same page, and nothing changes', {
    timeout: 300_000,
  }, async () => {
    const { page } = await openScreen(browser, server.url, '/help', role)
    const forbidden = catalogue.filter(
      ({ scope, permission, staffPermission = permission }) =>
        scope === 'organization' && staffPermission && !may(role, staffPermission),
    )
    expect(forbidden.length === 0).toBe(role === 'admin')
    // A session notes every minute that it was seen.
    server.setNow(new Date())
    const before = await fingerprint(server)
    const answers = await page.evaluate(
      callEach,
      forbidden.map(({ method, path, example }) => {
        const input = { ...(example.input as object), corp_id: server.sample.corp_id }
        const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))
        return method === 'GET'
          ? { method, url: `${path}?${query}` }
          : { method, url: path, body: JSON.stringify(input) }
      }),
    )
    expect(answers.map((code, n) => [forbidden[n]!.id, code])).toEqual(forbidden.map(({ id }) => [id, 40303]))
    expect(await fingerprint(server)).toEqual(before)
    await page.context().close()
  })
})

/** An enabled control by its name. */
async function isOffered(page: Page, name: string): Promise<boolean> {
  const named = { name, exact: true }
  const found = page
    .getByRole('button', named)
    .or(page.getByRole('link', named))
    .or(page.getByRole('checkbox', named))
    .or(page.getByLabel(name, { exact: true }))
  return (await found.count()) > 0
}

/** Calls like a script of the page: with the cookies and headers of the browser. */
async function callEach(requests: { method: string; url: string; body?: string }[]): Promise<number[]> {
  const codes: number[] = []
  for (const { method, url, body } of requests) {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(url, { method, ...(body && { body, headers }) })
    codes.push(((await response.json()) as { code: number }).code)
  }
  return codes
}
