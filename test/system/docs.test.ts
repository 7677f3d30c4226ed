import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { serviceVersion } from '../../src/contract/service-version.ts'
import { consoleOperations, integratorOperations } from '../../src/endpoints.ts'
import { eventTypeNames } from '../../src/events/event-types.ts'
import { moves, movesByMoney } from '../../src/orders/rules/status.ts'
import { openBrowser } from '../harness/browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
/** Opened once, because rendering every operation is slow. */
let reference: Awaited<ReturnType<typeof openPage>>
// The first run on a machine may have to fetch the browser.
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  reference = await openPage(browser, '/docs')
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('the reference lists every operation for integrators, and no request leaves the machine', async () => {
  const { page, strangers, complaints } = reference
  await page.locator('.opblock').last().waitFor()
  const named = await page
    .locator('.opblock-summary-path')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-path') ?? ''))
  const { operations: paths = [], events = [] } = Object.groupBy(named, (name) =>
    name.startsWith('/') ? 'operations' : 'events',
  )
  expect(events.toSorted()).toEqual(eventTypeNames.toSorted())
  // The page groups operations; within a group they keep the order of the catalogue.
  expect(paths.toSorted()).toEqual(integratorOperations.map(({ path }) => path).toSorted())
  for (const group of new Set(integratorOperations.map((endpoint) => endpoint.group))) {
    const grouped = integratorOperations
      .filter((endpoint) => endpoint.group === group)
      .map(({ path }) => path)
    expect(paths.filter((path) => grouped.includes(path as never))).toEqual(grouped)
  }
  expect(await page.locator('.bar .version').textContent()).toBe(serviceVersion)
  expect(strangers).toEqual([])
  expect(complaints).toEqual([])
})

test('the operations of the console have a page of their own', async () => {
  const { page, strangers, complaints } = await openPage(browser, '/docs/console')
  await page.locator('.opblock').last().waitFor()
  const named = await page
    .locator('.opblock-summary-path')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-path') ?? ''))
  expect(named.toSorted()).toEqual(consoleOperations.map(({ path }) => path).toSorted())
  expect(strangers).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('with app_id and secret, readers can send calls', async () => {
  const { page, complaints } = reference
  await page.locator('#sign-in').getByLabel('app_id').fill(server.sample.app_id)
  await page.locator('#sign-in').getByLabel('Secret').fill(server.sample.user_api_secret)
  await page.locator('#sign-in').getByRole('button', { name: 'Get token' }).click()
  await page.locator('#sign-in-status.done').waitFor()
  const verified = await tryCall(page, 'Tokens', 'verifyToken', {})
  expect(verified).toMatchObject({ code: 0, data: { app_id: server.sample.app_id, result: 'valid' } })
  const listed = await tryCall(page, 'Orders', 'listOrders', { corp_id: server.sample.corp_id })
  expect(listed).toMatchObject({ code: 0, msg: 'success', data: { page: 0 } })
  expect(complaints).toEqual([])
})

test('a wrong secret shows the message of the service', async () => {
  const { page } = reference
  await page.locator('#sign-in').getByLabel('app_id').fill(server.sample.app_id)
  await page.locator('#sign-in').getByLabel('Secret').fill('not the secret')
  await page.locator('#sign-in').getByRole('button', { name: 'Get token' }).click()
  const status = page.locator('#sign-in-status.failed')
  await status.waitFor()
  expect(await status.textContent()).toBe('40105 The signature does not match.')
})

test('without SHA-256 in the browser, the page asks for a token instead', async () => {
  const { page } = await openPage(
    browser,
    '/docs',
    "Object.defineProperty(crypto, 'subtle', { value: undefined })",
  )
  await expect.poll(() => page.locator('#sign-in-status').textContent()).toContain('paste it under Authorize')
  expect(await page.locator('#sign-in').isVisible()).toBe(false)
  await page.context().close()
})

test('the error catalogue shows every code with its message', async () => {
  const { page, strangers, complaints } = await openPage(browser, '/docs/errors')
  const column = (at: number) => page.locator(`tbody tr > :nth-child(${at})`).allTextContents()
  const [codes, msgs, remedies] = await Promise.all([column(1), column(3), column(4)])
  const shown = codes.map((code, row) => [Number(code), msgs[row], remedies[row]])
  expect(shown).toEqual(Object.values(errorCatalogue))
  expect(strangers).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the page of orders shows exactly the moves of the table, as text and as a picture', async () => {
  const { page, strangers, complaints } = await openPage(browser, '/docs/errors')
  await page.locator('.bar nav').getByText('Orders', { exact: true }).click()
  await page.locator('svg.states').waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/orders')
  const pairs = (table: Partial<Record<string, readonly string[]>>) =>
    Object.entries(table).flatMap(([from, targets]) => targets!.map((to) => `${from} ${to}`))
  const drawn = await page
    .locator('svg.states path.move')
    .evaluateAll((paths) =>
      paths.map((path) => `${path.getAttribute('data-from')} ${path.getAttribute('data-to')}`),
    )
  const writtenIn = (column: number) =>
    page.locator('tbody tr').evaluateAll(
      (rows, column) =>
        rows.flatMap((row) => {
          const from = row.querySelector('th')!.textContent
          const cell = row.querySelectorAll('td')[column]!
          return [...cell.querySelectorAll('code')].map((to) => `${from} ${to.textContent}`)
        }),
      column,
    )
  expect(drawn).toEqual(pairs(moves))
  expect(await writtenIn(0)).toEqual(pairs(moves))
  expect(await writtenIn(1)).toEqual(pairs(movesByMoney))
  expect(await page.locator('svg.states [data-status]').allTextContents()).toHaveLength(
    Object.keys(moves).length,
  )
  expect(strangers).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

/** A page that may reach the server only: requests to other hosts are noted and refused. */
async function openPage(browser: Browser, path: string, initScript = '') {
  // The page renders the operations that are in view, once there are many: all are in view here.
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 20_000 } })).newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(initScript)
  const strangers: string[] = []
  const complaints: string[] = []
  await page.route('**', (route) => {
    const { host, protocol } = new URL(route.request().url())
    if (protocol === 'data:' || host === new URL(server.url).host) return route.continue()
    strangers.push(route.request().url())
    return route.abort()
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${server.url}${path}`, { waitUntil: 'domcontentloaded' })
  return { page, strangers, complaints }
}

async function tryCall(
  page: Page,
  group: string,
  id: string,
  input: Record<string, string>,
): Promise<unknown> {
  const block = page.locator(`#operations-${group}-${id}`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  for (const [name, value] of Object.entries(input))
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value)
  await block.getByRole('button', { name: 'Execute' }).click()
  const body = block.locator('.live-responses-table .response-col_description .highlight-code code').first()
  return JSON.parse((await body.textContent())!)
}
