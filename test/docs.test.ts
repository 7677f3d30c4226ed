import { Ajv } from 'ajv'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiError, errorCatalogue } from '../src/contract/errors.ts'
import { formats } from '../src/contract/formats.ts'
import { openApiOf } from '../src/contract/openapi.ts'
import { inputValidator } from '../src/contract/validate.ts'
import {
  additions,
  administration,
  catalogue,
  consoleOperations,
  interfaceOperations,
} from '../src/endpoints.ts'
import { moves, movesByMoney } from '../src/orders/rules/status.ts'
import { serviceVersion } from '../src/service-version.ts'
import { openBrowser } from './harness/browser.ts'
import { dereferenced } from './harness/openapi.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

/** Reads schemas as others would, who know two of our formats. */
const reader = new Ajv({ strict: false })
for (const name of ['date', 'email'] as const) reader.addFormat(name, formats[name][0])

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiOf(catalogue, { version: serviceVersion })))
  const { paths, components } = dereferenced(document)
  const operationAt = (path: string, method: string) => paths[path][method.toLowerCase()]

  test('is served as it is generated', async () => {
    const response = await fetch(`${server.url}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(document)
  })

  test('has every operation of the catalogue, each under an id of its own', () => {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path))
    expect(operations.map(({ operationId }) => operationId)).toEqual(catalogue.map(({ id }) => id))
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    expect(interfaceOperations).toHaveLength(19)
    expect(catalogue).toEqual([...interfaceOperations, ...additions, ...administration, ...consoleOperations])
  })

  test('points only at components that it has', () => {
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path!.split('/').reduce((node, name) => node?.[name], document)
      expect(target, path).toBeDefined()
    }
  })

  test('names what clients work with, and knows none of our own formats', () => {
    const wanted = [
      ...['Order', 'OrderRow', 'FinancialRow', 'SubOrder', 'Payment', 'Remark', 'UserProfile', 'TagGroup'],
      ...[
        'UserTag',
        'Course',
        'Batch',
        'Coupon',
        'Currency',
        'ShareProportion',
        'PlannedSubOrder',
        'Failure',
      ],
      ...catalogue.filter(({ method }) => method === 'POST').map(({ id }) => `${capital(id)}Input`),
      ...catalogue.map(({ id }) => `${capital(id)}Answer`),
    ]
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(wanted))
    const schemas = JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value))
    const formats = [...schemas.matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(formats)).toEqual(new Set(['email', 'date']))
  })

  test('says which members make a call, as the operation takes it', async () => {
    const shaped = catalogue.filter(({ oneOfSets }) => oneOfSets)
    expect(shaped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['issueToken', 'createUser', 'importLead']),
    )
    for (const endpoint of shaped) {
      const { anyOf, properties } = operationAt(endpoint.path, 'POST').requestBody.content['application/json']
        .schema
      const optional = anyOf.flatMap(({ required }: { required: string[] }) => required)
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(optional))
      const read = inputValidator(endpoint)
      const complaintsOf = (names: string[]) => {
        try {
          read(Object.fromEntries(names.map((name) => [name, name === 'email' ? 'a@example.com' : '86'])))
        } catch (error) {
          const { errors } = (error as ApiError).details
          return errors!.map(({ param }) => param).filter((param) => optional.includes(param))
        }
        return []
      }
      for (const { required } of anyOf) expect(complaintsOf(required), endpoint.id).toEqual([])
      expect(complaintsOf([]).length, endpoint.id).toBeGreaterThan(0)
    }
  })

  test('asks for a token everywhere but where tokens are obtained and people sign in', () => {
    const open = catalogue.filter(({ path, method }) => operationAt(path, method).security?.length === 0)
    expect(open.map(({ path }) => path)).toEqual([
      '/api/v5/authentication/token',
      '/api/v5/console/session/create',
      '/api/v5/console/session/link',
      '/api/v5/console/password/choose',
      '/api/v5/console/session/passkey/begin',
      '/api/v5/console/session/passkey',
      '/api/v5/console/session/provider/begin',
      '/api/v5/console/session/provider',
    ])
    expect(document.security).toEqual([{ bearer: [] }])
  })

  test.each(catalogue)('$id: its examples fit its schemas', ({ path, method, since }) => {
    const operation = operationAt(path, method)
    expect(operation.description).toContain(`Since ${since}`)
    const success = operation.responses['200'].content['application/json']
    expectFit(success.schema, success.example)
    if (method === 'POST') {
      const body = operation.requestBody.content['application/json']
      expectFit(body.schema, body.example)
    }
    for (const { schema, example, required } of operation.parameters.filter(isQuery)) {
      if (example !== undefined || required) expectFit(schema, example)
    }
  })

  test('offers an Idempotency-Key on every POST on records, and nowhere else', () => {
    for (const { path, method, scope } of catalogue) {
      const operation = operationAt(path, method)
      const names = operation.parameters.map((parameter: { name: string }) => parameter.name)
      const takesKey = method === 'POST' && scope === 'organization'
      expect(names.includes('Idempotency-Key'), path).toBe(takesKey)
      expect('Idempotent-Replayed' in operation.responses['200'].headers, path).toBe(takesKey)
      const conflict = operation.responses['409']
      if (takesKey) expect(Object.keys(conflict.content['application/json'].examples)).toContain('keyReused')
      if (takesKey) expect(conflict.description).toContain('40905')
      else expect(conflict?.description ?? '').not.toContain('40903')
    }
  })

  test('answers every failure with an example that fits', () => {
    for (const { value } of Object.values<{ value: unknown }>(components.examples)) {
      expectFit(components.schemas.Failure, value)
    }
  })
})

describe('the pages', () => {
  let browser: Browser
  /** Opened once: it takes its time to draw every operation. */
  let reference: Awaited<ReturnType<typeof openPage>>
  // The first run on a machine may have to fetch the browser.
  beforeAll(async () => {
    browser = await openBrowser()
    reference = await openPage(browser, '/docs')
  }, 600_000)
  afterAll(() => browser?.close())

  test('the reference lists every operation, and no request leaves the machine', async () => {
    const { page, strangers, complaints } = reference
    await page.locator('.opblock').last().waitFor()
    const paths = await page
      .locator('.opblock-summary-path')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-path')))
    // The page gathers operations by group; within a group they keep the order of the catalogue.
    expect(paths.toSorted()).toEqual(catalogue.map(({ path }) => path).toSorted())
    for (const group of new Set(catalogue.map((endpoint) => endpoint.group))) {
      const grouped = catalogue.filter((endpoint) => endpoint.group === group).map(({ path }) => path)
      expect(paths.filter((path) => grouped.includes(path as never))).toEqual(grouped)
    }
    expect(await page.locator('.bar .version').textContent()).toBe(serviceVersion)
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })

  test('with app_id and secret one can try calls', async () => {
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

  test('a wrong secret is told in the words of the service', async () => {
    const { page } = reference
    await page.locator('#sign-in').getByLabel('app_id').fill(server.sample.app_id)
    await page.locator('#sign-in').getByLabel('Secret').fill('not the secret')
    await page.locator('#sign-in').getByRole('button', { name: 'Get token' }).click()
    const status = page.locator('#sign-in-status.failed')
    await status.waitFor()
    expect(await status.textContent()).toBe('40105 The signature does not match.')
  })

  test('where the browser offers no SHA-256, the page asks for a token instead', async () => {
    const { page } = await openPage(
      browser,
      '/docs',
      "Object.defineProperty(crypto, 'subtle', { value: undefined })",
    )
    expect(await page.locator('#sign-in').isVisible()).toBe(false)
    expect(await page.locator('#sign-in-status').textContent()).toContain('paste it under Authorize')
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

  test('the page of orders shows every move of the table, as text and as a picture, and no other', async () => {
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
})

function capital(id: string): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}`
}

function expectFit(schema: object, value: unknown): void {
  reader.validate(schema, value)
  expect(reader.errors ?? []).toEqual([])
}

function isQuery(parameter: { in?: string }): boolean {
  return parameter.in === 'query'
}

/** A page that may reach the server alone: every other host is noted and refused. */
async function openPage(browser: Browser, path: string, initScript = '') {
  const page = await (await browser.newContext()).newPage()
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
