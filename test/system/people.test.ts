import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, openScreen, settled } from '../harness/console-page.ts'
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

const { MATRICULA_PICTURES: pictures } = process.env
const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}
const people = async (filter: object = {}) =>
  (await server.call(listUsers, { corp_id: server.sample.corp_id, page_size: 1000, ...filter })).data
/** Not the grey bars of a list that is loading. */
const rowsOf = (page: Page) => page.getByRole('region', { name: 'People' }).locator('tbody tr[aria-rowindex]')

test('a day with people: search, open, reveal, change, tag, log a call, and go to the next', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/people', 'admin')
  const { total } = await people()
  await page.getByText(`1–50 of ${total}`).waitFor()
  await picture(page, 'people-light')
  expect(await barriersOn(page)).toEqual([])

  // A pause after a space loses nothing of what was typed.
  const search = page.getByRole('searchbox')
  await search.pressSequentially('Kai ')
  await page.waitForURL(/q=Kai$/)
  await page.waitForTimeout(300)
  await search.pressSequentially('Rajan')
  await page.waitForURL(/q=Kai\+Rajan$/)
  expect(await search.inputValue()).toBe('Kai Rajan')

  // The search starts with the first character, and its text is in the address.
  const { total: wangs } = (await people({ name: '王' })) as { total: number }
  await page.getByRole('searchbox').fill('王')
  await page.getByText(new RegExp(` of ${wangs}$`)).waitFor()
  await page.waitForURL(/q=%E7%8E%8B/)
  await settled(page)
  expect(await rowsOf(page).first().textContent()).toMatch(/•••/)

  await rowsOf(page).first().click()
  await page.waitForURL(/\/people\?q=.*open=\w+/)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Reveal' }).first().click()
  await drawer.getByText(/^\+\d+ \d{6,}$/).waitFor()

  await drawer.getByRole('button', { name: /^Edit City: / }).click()
  await drawer.getByRole('textbox', { name: 'City' }).fill('Chengdu')
  await page.keyboard.press('Enter')
  await drawer.getByRole('button', { name: /^Edit City: Chengdu/ }).waitFor()

  await drawer.getByRole('textbox', { name: 'Notes' }).fill('Wants to visit')
  await drawer.getByLabel('Next call').fill('2030-01-02T10:30')
  await drawer.getByRole('button', { name: 'Add follow-up' }).click()
  await drawer.getByText('Wants to visit').waitFor()
  await drawer.getByText(/Next call: 2 Jan 2030/).waitFor()
  await drawer.getByText('Profile changed').waitFor()
  await picture(page, 'person-light')
  expect(await barriersOn(page)).toEqual([])

  const first = page.url()
  const said = drawer.getByRole('textbox', { name: 'Notes' })
  await said.fill('Half a sen')
  await drawer.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL((url) => url.href !== first && /\?q=.*open=\w+/.test(url.href))
  await drawer.getByText('Chengdu').first().waitFor({ state: 'detached' })
  // A draft stays with its person.
  await expect.poll(() => said.inputValue()).toBe('')
  await drawer.getByRole('button', { name: 'Previous' }).click()
  await page.waitForURL(first)
  await expect.poll(() => said.inputValue()).toBe('Half a sen')
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL((url) => !url.href.includes('open='))
  expect(complaints).toEqual([])
  await page.context().close()
})

test('many people are changed at once, after a preview, and the change is undone', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/people?pool=alive', 'admin')
  const before = (await people({ pool: 'dead' })).total
  await rowsOf(page).nth(2).waitFor()
  for (const row of [0, 1, 2]) await rowsOf(page).nth(row).getByRole('checkbox').check()
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Change pool' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Pool' }).click()
  await page.getByRole('option', { name: 'Closed' }).click()
  await dialog.getByText('3 will change, 0 stay the same. Nothing else changes.').waitFor()
  expect((await people({ pool: 'dead' })).total).toBe(before)
  await dialog.getByRole('button', { name: 'Change 3 people' }).click()
  await page.getByText('3 people changed.').waitFor()
  expect((await people({ pool: 'dead' })).total).toBe(before + 3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect((await people({ pool: 'dead' })).total).toBe(before)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a page after the last one shows the last one; Back returns through pages and filters', async () => {
  const { total } = await people()
  const last = Math.ceil(total / 50)
  const { page, complaints } = await openScreen(browser, server.url, '/people?page=99', 'admin')
  await page.waitForURL(`**/people?page=${last}`)
  await page.getByText(`${(last - 1) * 50 + 1}–${total} of ${total}`).waitFor()
  await page.getByRole('button', { name: '2', exact: true }).click()
  await page.waitForURL('**/people?page=2')
  await page.getByRole('button', { name: 'Public pool' }).click()
  await page.waitForURL('**/people?pool=public')
  await page.goBack()
  await page.waitForURL('**/people?page=2')
  await page.goBack()
  await page.waitForURL(`**/people?page=${last}`)

  // A number with a plus has its own calling code.
  await page.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mobile').fill('+999 7700 900123')
  await dialog.getByText('No country uses this code.').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Add person' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Mobile').fill('+44 7400 123456')
  await expect.poll(() => dialog.getByLabel('Country code').inputValue()).toBe('44')
  await dialog.getByRole('button', { name: 'Add person' }).click()
  await page.getByText('Lead added.').waitFor()
  const [made] = (await people({ sort: 'newest', page_size: 1 })).list
  expect([made.area_code, made.mobile]).toEqual(['44', '7400123456'])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a view saves filters, private or shared', async () => {
  const { page } = await openScreen(browser, server.url, '/people?order_status=success&pool=alive', 'admin')
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('View name').fill('Enrolled')
  await dialog.getByLabel('Share with the whole school').check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enrolled saved.').waitFor()
  await page.getByRole('button', { name: 'Actions for view Enrolled' }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  const forgotten = page.getByRole('alert').filter({ hasText: 'View Enrolled deleted.' })
  await forgotten.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await page.context().close()
  const { page: other } = await openScreen(browser, server.url, '/people', 'viewer')
  await other.getByRole('button', { name: 'Enrolled', exact: true }).click()
  await other.waitForURL((url) => url.searchParams.get('order_status') === 'success')
  const { total } = await people({ order_status: 'success', pool: 'alive' })
  await other.getByText(new RegExp(` of ${total}$`)).waitFor()
  await other.context().close()
})

test('a counsellor claims from the public pool before anything else, and sees no contact of others’ people', async () => {
  const list = (await people({ pool: 'public' })).list.filter(
    ({ mobile }: { mobile: string }) => mobile !== '',
  )
  const { page } = await openScreen(browser, server.url, `/people/${list[0].user_id}`, 'counsellor')
  const record = page.getByRole('main')
  const drawer = page.getByRole('dialog')
  await record.getByText('This person is in the public pool. Claim them').waitFor()
  const offered = async (name: string) => record.getByRole('button', { name, exact: true }).count()
  for (const name of ['Reveal', 'Add tag', 'Add follow-up'])
    expect([name, await offered(name)]).toEqual([name, 0])
  expect(await barriersOn(page)).toEqual([])
  await picture(page, 'person-in-the-pool')
  await record.getByRole('button', { name: 'Claim' }).click()
  await record.getByRole('button', { name: 'Release' }).waitFor()
  await record.getByRole('button', { name: 'Reveal' }).first().click()
  await record.getByText(list[0].mobile).waitFor()
  const mine = (await people({ owner_id: staffIdOf('counsellor') })).list
  expect(mine).toContainEqual(
    expect.objectContaining({ user_id: list[0].user_id, holder_id: staffIdOf('counsellor') }),
  )
  const others = (await people({ pool: 'alive' })).list.find(
    ({ owner_ids, mobile }: { owner_ids: string[]; mobile: string }) =>
      !owner_ids.includes(staffIdOf('counsellor')) && mobile !== '',
  )
  await page.goto(`${server.url}/people/${others.user_id}`)
  await record.getByText('This person has another adviser.').waitFor()
  await settled(page)
  expect(await offered('Reveal')).toBe(0)
  expect(await record.textContent()).not.toContain(others.mobile)
  await page.goto(`${server.url}/people?pool=alive`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Change adviser' }).click()
  await expect.poll(() => drawer.getByRole('button', { name: 'Change adviser' }).isDisabled()).toBe(true)
  await drawer.getByRole('combobox', { name: 'Adviser' }).click()
  await page.getByRole('option').last().click()
  await drawer.getByText('You are not the adviser of some selected people.').waitFor()
  await page.context().close()
})

test('a viewer can read only', async () => {
  const [person] = (await people({ pool: 'alive' })).list
  const { page } = await openScreen(browser, server.url, `/people/${person.user_id}`, 'viewer')
  const record = page.getByRole('main')
  await record.getByText('Timeline').waitFor()
  for (const name of ['Reveal', 'Claim', 'Add follow-up', 'Add tag'])
    expect(await record.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  expect(await page.getByRole('button', { name: 'Add person' }).count()).toBe(0)
  await page.context().close()
})

test('people are complete in Chinese, in dark mode, on a phone', async () => {
  const options = {
    colorScheme: 'dark' as const,
    locale: 'zh-CN' as const,
    viewport: { width: 390, height: 850 },
  }
  const { page, complaints } = await openScreen(browser, server.url, '/people', 'admin', options)
  await page.getByRole('heading', { level: 1, name: '客户' }).waitFor()
  const cards = page.getByRole('region', { name: '客户' }).getByRole('listitem')
  await cards.nth(3).waitFor()
  await picture(page, 'people')
  expect(await barriersOn(page)).toEqual([])
  await cards.first().click({ position: { x: 20, y: 20 } })
  await page.getByRole('dialog').getByText('动态').waitFor()
  await picture(page, 'person')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})
