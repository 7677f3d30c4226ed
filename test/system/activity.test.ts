import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { goTo, openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** As maintenance does about once a second. */
const link = () => linkEntries(server.db, server.sample.corp_id)

test('a change of a setting is on top, with the values before and after', async () => {
  const { page } = await openScreen(browser, server.url, '/settings', 'admin')
  await page.getByLabel('Country').fill('SG')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.getByText('Settings saved.').waitFor()
  await link()
  await page.goto(`${server.url}/settings?tab=activity`)
  const row = page.getByRole('row').filter({ hasText: 'country' })
  await row.first().waitFor()
  // The name of the colleague arrives by another call.
  await expect.poll(() => row.first().textContent()).toMatch(/王芳 changed school.*’s country from CN to SG/)
  expect(await row.first().getAttribute('aria-rowindex')).toBe('1')
  await row.first().locator('td').nth(2).click()
  const member = page.getByRole('dialog').getByRole('row').filter({ hasText: 'country' })
  await expect.poll(() => member.locator('td').allTextContents()).toEqual(['country', 'CN', 'SG'])
  await page.context().close()
})

test('a changed adviser is a sentence with a linked name in both languages, and the log is filtered by person', async () => {
  const { corp_id } = server.sample
  const { list } = (await server.call(listUsers, { corp_id, page_size: 100 })).data
  const person = list.find(
    ({ owner_ids, name }: { owner_ids: string[]; name: string }) => owner_ids.length === 1 && name !== '',
  )
  const { page } = await openScreen(browser, server.url, `/people/${person.user_id}`, 'admin')
  const changed = await page.evaluate(
    `fetch('/api/v5/entity/user/owner/update', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ corp_id: '${corp_id}', user_id: '${person.user_id}', owner_id: '${person.owner_ids[0]}', event_type: 'remove' }) })
      .then((answer) => answer.status)`,
  )
  expect(changed).toBe(200)
  await link()
  for (const [locale, said] of [
    ['en-GB', new RegExp(`王芳 changed ${person.name}’s adviser from .+ to nobody`)],
    ['zh-CN', new RegExp(`王芳将${person.name}的顾问由.+改为无`)],
  ] as const) {
    const opened = await openScreen(browser, server.url, '/settings?tab=activity', 'admin', { locale })
    const row = opened.page.getByRole('row').filter({ hasText: said }).first()
    await row.waitFor()
    expect(await row.getByRole('link').getAttribute('href')).toBe(`/people/${person.user_id}`)
    expect(opened.complaints).toEqual([])
    if (locale === 'en-GB') {
      await row.locator('td').nth(2).click()
      await opened.page.getByRole('button', { name: `Everything about ${person.name}` }).click()
      await opened.page.waitForURL(`**person=${person.user_id}**`)
      const links = opened.page.locator('tbody').getByRole('link')
      // The address changes first; the rows of everybody stay until those of the person arrive.
      await expect.poll(async () => [...new Set(await links.allTextContents())]).toEqual([person.name])
    }
    await opened.page.context().close()
  }
  await page.context().close()
})

test('reading the log adds no entries, and it is filtered by kind', async () => {
  const { page } = await openScreen(browser, server.url, '/settings?tab=activity', 'admin')
  for (let view = 0; view < 3; view++) {
    await goTo(page, '/settings?tab=staff')
    await goTo(page, '/settings?tab=activity')
    await link()
  }
  await page.reload()
  await settled(page)
  const rows = await page.locator('tbody tr').allTextContents()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter((text) => /王芳 viewed Activity log/.test(text))).toEqual([])
  await goTo(page, '/settings?tab=activity&kind=organizations')
  const kinds = await page.locator('tbody tr td:nth-child(3)').allTextContents()
  expect(new Set(kinds)).toEqual(new Set(['School']))
  await page.context().close()
})
