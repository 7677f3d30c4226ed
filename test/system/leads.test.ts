import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { eraseUser } from '../../src/changes/erasure/erase-user.ts'
import { listLeads } from '../../src/people/leads/list-leads.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, openScreen } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hireStaff } from '../harness/staff.ts'

interface ListedLead {
  user: { pool: string; holder_id: string | null }
}

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

/** A thousand leads, every hundredth with an invalid number, and an unknown header. */
function file(rows = 1000): { name: string; mimeType: string; buffer: Buffer } {
  const lines = Array.from({ length: rows }, (_, n) => {
    const mobile = n % 100 === 99 ? '138' : `1390000${String(n).padStart(4, '0')}`
    return `导入${n},${mobile},Fair ${n % 3},EMBA-EXEC`
  })
  const text = ['姓名,手机,Where met,课程', ...lines].join('\n')
  return { name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
}

test('a file of a thousand rows with faults is imported, corrected and undone', async () => {
  const before = (await people()).total
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'counsellor')
  await page.locator('input[type=file]').setInputFiles(file())
  await page.waitForURL(/import=\w+/)
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  expect((await people()).total).toBe(before)

  // A person chooses the column of the unknown header.
  await page.getByRole('combobox', { name: 'Where met' }).click()
  await page.getByRole('option', { name: 'Source', exact: true }).click()
  await page.getByRole('button', { name: 'Continue to values' }).click()
  await page.getByRole('button', { name: 'Continue to the check' }).click()
  await page.getByText('New people: 990').waitFor()
  await page.getByText('Needs fixing: 10').waitFor()
  await picture(page, 'import-plan')
  expect(await barriersOn(page)).toEqual([])

  // Closing the browser loses nothing.
  const address = page.url()
  await page.goto(`${server.url}/today`)
  await page.getByText('fair.csv').first().click()
  await page.waitForURL(/import=\w+/)
  await page.getByRole('button', { name: 'Import 990 leads' }).click()
  await page.getByRole('heading', { name: 'Import complete' }).waitFor()
  expect((await people()).total).toBe(before + 990)
  await picture(page, 'import-result')

  await page.getByRole('button', { name: 'Fix 10 rows' }).click()
  const bad = page.getByRole('textbox', { name: /^Row \d+, 手机$/ })
  await bad.nth(9).waitFor()
  expect(await bad.count()).toBe(10)
  for (let n = 0; n < 10; n++) await bad.nth(n).fill(`1370000000${n}`)
  await picture(page, 'import-fix')
  await page.getByRole('button', { name: 'Import 10 fixed rows' }).click()
  await page.getByRole('button', { name: 'Import 10 leads' }).click()
  await page.getByRole('heading', { name: 'Import complete' }).waitFor()
  expect((await people()).total).toBe(before + 1000)

  await page.goto(address)
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page
    .getByRole('status')
    .getByText(/^Import undone/)
    .waitFor()
  expect((await people()).total).toBe(before + 10)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a discarded file is removed from the list', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'counsellor')
  await page.locator('input[type=file]').setInputFiles({ ...file(3), name: 'unwanted.csv' })
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await page.getByRole('button', { name: 'Discard file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard file' }).click()
  await page.getByText('unwanted.csv discarded.').waitFor()
  await page.getByRole('heading', { name: 'Imports' }).waitFor()
  await page.getByRole('cell', { name: 'unwanted.csv' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a file names erased people, and imports them once the erasure is lifted', async () => {
  const { corp_id } = server.sample
  const { data } = await server.call(createUser, { corp_id, area_code: '86', mobile: '18877766655' })
  const admin = await hireStaff(server, corp_id, 'admin')
  await admin.call(eraseUser, { user_id: data.user_id, reason: 'Asked for it', confirm_debt: true })
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'admin')
  const buffer = Buffer.from('手机\n188 7776 6655\n13911112222\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Continue to values' }).click()
  await page.getByRole('button', { name: 'Continue to the check' }).click()
  await page.getByText('New people: 1').waitFor()
  await page.getByText('Erased people: 1').waitFor()
  await page.getByText(`belongs to a person who was erased on`).waitFor()
  await page.getByRole('button', { name: 'Lift erasure' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Mobile or e-mail' }).fill('188 7776 6655')
  await picture(page, 'lift-erasure')
  expect(await barriersOn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Lift erasure' }).click()
  await page.getByText('Erasure lifted: 1 contact can be imported again.').waitFor()
  // The file is planned again automatically.
  await page.getByText('New people: 2').waitFor()
  await page.goto(`${server.url}/settings?tab=privacy`)
  await page.getByRole('cell', { name: 'Asked for it' }).waitFor()
  await page.getByText('Lifted').first().waitFor()
  await picture(page, 'erasures')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('unknown values get a meaning, which the next file remembers', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'admin')
  const put = async (rows: string[]) => {
    const text = ['手机,渠道,课程,企业培训', ...rows].join('\n')
    const buffer = Buffer.from(text)
    await page.goto(`${server.url}/leads/import`)
    await page.locator('input[type=file]').setInputFiles({ name: 'values.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Continue to values' }).click()
    await page.getByRole('heading', { name: 'Values', exact: true }).waitFor()
  }
  await put(['13911110000,Baidu PC,EMBA-EXEC,ja', '13911110001,Baidu PC,Unheard of,ja'])
  const row = (name: RegExp) => page.getByRole('group', { name })
  await row(/Unheard of/)
    .getByText('Unknown')
    .waitFor()
  await row(/EMBA-EXEC/)
    .getByText('Executive')
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'Import Baidu PC as' }).fill('search-ads-27')
  await page.getByRole('combobox', { name: 'Import ja as' }).click()
  await page.getByRole('option', { name: 'Yes', exact: true }).click()
  await page.getByRole('combobox', { name: 'Import Unheard of as' }).click()
  await page.getByRole('option', { name: 'Empty', exact: true }).click()
  await picture(page, 'import-values')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue to the check' }).click()
  await page.getByText('New people: 2').first().waitFor()
  await page.getByRole('button', { name: 'Import 2 leads' }).click()
  await page.getByRole('heading', { name: 'Import complete' }).waitFor()
  const { data } = await server.call(listLeads, { corp_id: server.sample.corp_id, page_size: 1000 })
  const made = data.list.filter((lead: { utm_channel: string }) => lead.utm_channel === 'search-ads-27')
  expect(made.map((lead: { course_code: string }) => lead.course_code).sort()).toEqual(['', 'EMBA-EXEC'])

  await put(['13911110002,Baidu PC,Unheard of,ja'])
  const remembered = page.getByRole('combobox', { name: 'Import Baidu PC as' })
  await expect.poll(() => remembered.inputValue()).toBe('search-ads-27')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a lead is claimed, and a lost race names the holder', async () => {
  const [first, second] = (await people({ pool: 'public', sort: 'newest' })).list
  const { page } = await openScreen(browser, server.url, '/leads?tab=pool', 'counsellor')
  const rows = page.getByRole('region', { name: 'Public pool' }).locator('tbody tr[aria-rowindex]')
  await rows.first().waitFor()
  expect(await barriersOn(page)).toEqual([])
  await picture(page, 'leads-pool')
  await rows.first().getByRole('button', { name: 'Claim' }).click()
  await page.getByText('You claimed ').waitFor()
  const mine = (await people({ owner_id: staffIdOf('counsellor') })).list
  expect(mine.map(({ user_id }: { user_id: string }) => user_id)).toContain(first.user_id)
  expect(second.user_id).not.toBe(first.user_id)

  // In all leads, the advisers are those of the person, and only claimable people offer a claim.
  await page.getByRole('tab', { name: 'All leads' }).click()
  const all = page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'All', exact: true })
  await all.waitFor()
  await expect.poll(() => all.getAttribute('aria-pressed')).toBe('true')
  const query = { corp_id: server.sample.corp_id, page_size: 10, sort: 'newest' }
  const shown: ListedLead[] = (await server.call(listLeads, query)).data.list
  const leads = page.getByRole('region', { name: 'Leads' }).locator('tbody tr[aria-rowindex]')
  await leads.nth(9).waitFor()
  const claimAt = (at: number) => leads.nth(at).getByRole('button', { name: 'Claim' })
  const isFree = ({ user }: ListedLead) => user.pool === 'public' && user.holder_id === null
  for (const [at, lead] of shown.entries())
    await expect.poll(() => claimAt(at).count(), { message: String(at) }).toBe(isFree(lead) ? 1 : 0)
  const free = shown.findIndex(isFree)
  await claimAt(free).click()
  await leads.nth(free).getByText('李雷').waitFor()
  await expect.poll(() => claimAt(free).count()).toBe(0)
  await page
    .getByText(/^You claimed \S.*\.$/)
    .nth(1)
    .waitFor()
  await page.context().close()
})

test('two duplicates are merged and unmerged', async () => {
  const before = (await people()).total
  const { page } = await openScreen(browser, server.url, '/leads?tab=duplicates', 'admin')
  await page.getByRole('button', { name: 'Merge people' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Order amounts do not change.').waitFor()
  await picture(page, 'leads-merge')
  await dialog.getByRole('button', { name: 'Merge people' }).click()
  await page.getByText('People merged.').waitFor()
  expect((await people()).total).toBe(before - 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect((await people()).total).toBe(before)
  await page.context().close()
})

test('leads are complete in Chinese, in dark mode', async () => {
  const options = {
    colorScheme: 'dark' as const,
    locale: 'zh-CN' as const,
    viewport: { width: 1360, height: 850 },
  }
  for (const [path, name] of [
    ['/leads', 'leads'],
    ['/leads/import', 'import'],
  ] as const) {
    const { page, complaints } = await openScreen(browser, server.url, path, 'counsellor', options)
    await page.locator('tbody tr[aria-rowindex]').first().waitFor()
    await picture(page, name)
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  }
})
