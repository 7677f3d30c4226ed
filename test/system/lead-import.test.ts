import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await settled(page)
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}
const people = async () => (await server.call(listUsers, { corp_id: server.sample.corp_id })).data.total

/** A list of a fair: a title, a note, headers in row 3, and 300 rows, every tenth with a fault. */
function messyFile() {
  const faults = ['1.39E+10', '138****1234', '1390000', '85291234568']
  const rows = Array.from({ length: 300 }, (_, n) => {
    const isFaulty = n % 10 === 4
    const mobile = isFaulty ? faults[Math.floor(n / 10) % 4]! : `1370001${String(n).padStart(4, '0')}`
    const owner = n % 50 === 7 ? '冯刚老师' : '李雷'
    return `客户${n},${mobile},${n % 3 === 0 ? `p${n}@example.com` : ''},2026/11/${(n % 9) + 1},EMBA-EXEC,${owner}`
  })
  const lines = ['秋季招生会,,,,,', '负责人：市场部,,,,,', '姓名,联系电话,邮箱,咨询日期,课程,顾问', ...rows]
  return { name: '秋季招生会.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
}

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 400; presses++) {
    await page.keyboard.press('Tab')
    if (name.test(await page.evaluate<string>(nameOfFocused))) return
  }
  throw new Error(`Tab does not reach ${name} on ${page.url()}`)
}
/** After the last element, the body has the focus, and its text is that of the whole page. */
const nameOfFocused = `document.activeElement === document.body ? '' :
  document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? ''`
const press = async (page: Page, name: RegExp) => {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await settled(page)
}

test('a messy file of 300 rows is imported by keyboard alone, in Chinese, on a phone', async () => {
  const before = await people()
  const options = { locale: 'zh-CN' as const, viewport: { width: 390, height: 844 } }
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'admin', options)
  // Enter on the field opens the file dialog of the system; the test provides the file. It asks for the dialog early, because
  // the browser opens it by itself until it knows.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, /将文件拖到此处/)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(messyFile())
  await page.getByRole('heading', { name: '列的含义' }).waitFor()
  await page.getByText('表头在第 3 行').waitFor()
  await picture(page, 'import-phone-columns')
  expect(await barriersOn(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)

  await press(page, /下一步：取值/)
  await page.getByRole('heading', { name: '取值' }).waitFor()
  await picture(page, 'import-phone-values')
  expect(await barriersOn(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  // The unknown adviser stays empty; the numbers of Hong Kong are confirmed.
  await choose(page, /冯刚老师 导入为/, '留空')
  await choose(page, /852 导入为/, '+852')
  await press(page, /下一步：检查/)
  await page.getByRole('heading', { name: '检查' }).waitFor()
  await page.getByText('待修正 23 行').waitFor()
  await press(page, /待修正 23 行/)
  await picture(page, 'import-phone-check')
  expect(await barriersOn(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)

  // The browser goes back to the previous step, and forward again.
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { name: '取值' }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: '检查' }).waitFor()
  await press(page, /待修正 23 行/)

  // Every faulty number is typed again; Enter goes to the next row.
  await tabTo(page, /^第 \d+ 行，联系电话$/)
  for (let n = 0; n < 23; n++) {
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(`1360000${String(n).padStart(4, '0')}`)
    if (n < 22) await page.keyboard.press('Enter')
  }
  await picture(page, 'import-phone-corrected')
  await press(page, /检查已修改的 23 个单元格/)
  // Seven rows have the same number of Hong Kong.
  await page.getByText('新客户 294 位').waitFor()
  await press(page, /导入 300 条线索/)
  await page.getByRole('heading', { name: '导入完成' }).waitFor()
  await picture(page, 'import-phone-result')
  expect(await barriersOn(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  expect(await people()).toBe(before + 294)
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Chooses an option of a select by typing a part of its name. */
async function choose(page: Page, field: RegExp, option: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type(option)
  // The options open with a transition; until then, a key selects nothing.
  await page.getByRole('option', { name: option }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-combobox-selected]').filter({ hasText: option }).waitFor()
  await page.keyboard.press('Enter')
  await settled(page)
}

const isWiderThanScreen = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

test('the steps have addresses, the header row can be chosen, and copied cells cover many fields', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/leads/import', 'admin')
  await page.locator('input[type=file]').setInputFiles(messyFile())
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await picture(page, 'import-columns')
  const address = new URL(page.url())
  const open = async (step: string) => {
    address.searchParams.set('step', step)
    await page.goto(address.href)
    await settled(page)
  }
  await open('file')
  await page.getByRole('row', { name: /3.*姓名/ }).waitFor()
  await picture(page, 'import-file')
  // The first rows are read again during the plan, when there are none.
  const late = (url: URL) => url.pathname.endsWith('/import/file/fetch')
  await page.route(late, async (route) => {
    await setTimeout(2000)
    await route.fallback().catch(() => {})
  })
  await page.getByRole('combobox', { name: 'Headers' }).click()
  await page.getByRole('option', { name: /^Row 4/ }).click()
  await page.getByText('Headers in row 4').waitFor()
  await page.getByRole('combobox', { name: 'Headers' }).click()
  await page.getByRole('option', { name: /^Row 3/ }).click()
  await page.getByText('Headers in row 3').waitFor()
  await page.unroute(late)
  await open('values')
  await picture(page, 'import-values')
  await open('check')
  await page.getByRole('columnheader', { name: '联系电话' }).waitFor()
  // The first rows are shown as they will be imported.
  await page.getByRole('cell', { name: '+86 13700010000' }).waitFor()
  await picture(page, 'import-check')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: /^Needs fixing/ }).click()
  const fields = page.getByRole('textbox', { name: /^Row \d+, 联系电话$/ })
  await fields.first().waitFor()
  const numbers = Array.from({ length: 3 }, (_, n) => `1350000000${n}`)
  await fields.first().focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(numbers.join('\n'))})
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(paste)
  }`)
  for (const [n, number] of numbers.entries())
    await expect.poll(() => fields.nth(n).inputValue()).toBe(number)
  await page.getByRole('button', { name: 'Check 3 corrected cells' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})
