import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBankAccounts } from '../../src/backoffice/finance/reconciliation/bank-accounts.ts'
import { confirmCertainMatches } from '../../src/backoffice/finance/reconciliation/settle-bank-lines.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { updateUser } from '../../src/people/users/update-user.ts'
import { sendStatement } from '../harness/bank-lines.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Lines that are matched, proposed to a payment, proposed to an instalment, and open. */
async function schoolWithLines(): Promise<Counter> {
  const school = await openCounter(server, 'Asia/Shanghai')
  await school.call(updateUser, { user_id: school.user_id, name: '林晓' })
  const { order_id } = await school.order()
  const paid = { order_id, completed_time: '2026-10-12 10:00:00' }
  await school.call(createPayment, { ...paid, price: 5000, charge_id: 'ch-1' })
  await school.call(createPayment, { ...paid, price: 1200 })
  const run: Parameters<typeof sendStatement>[0] = async (operation, input) =>
    (await school.call(operation, input)).data
  const { statement_id } = await sendStatement(run, [
    { price: 5000, value_date: '2026-10-12', charge_id: 'ch-1', description: 'Card' },
    { price: 1200, value_date: '2026-10-13', description: 'Transfer' },
    { price: 3800, value_date: '2026-10-14', payer: '林晓', description: 'Tuition' },
    { price: 7700, value_date: '2026-10-15', payer: 'Jörg Müller', description: 'Unknown' },
  ])
  await school.call(confirmCertainMatches, { statement_id })
  return school
}

const languages = [
  {
    locale: 'en-GB',
    texts: {
      amount: 'Same amount, 1 day apart',
      instalment: 'Names the person or payer; their next instalment has this amount',
      matched: 'matched',
      charge: 'The same charge',
      add: 'Add statement',
      repeated: /^1 line is already in .* and is left out\.$/,
      encoding: 'Text encoding',
      import: 'Import statement',
      imported: '1 line imported.',
      book: 'Book here',
      booked: 'Line booked.',
      bookLine: 'Book line',
    },
  },
  {
    locale: 'zh-CN',
    texts: {
      amount: '金额相同，相差 1 天',
      instalment: '流水写有学员或付款人姓名，金额等于其下一期应付款',
      matched: '已匹配',
      charge: '交易号相同',
      add: '添加对账单',
      repeated: /^1 笔流水已在 .* 中，将略过。$/,
      encoding: '文字编码',
      import: '导入对账单',
      imported: '已导入 1 笔流水。',
      book: '在此入账',
      booked: '流水已入账。',
      bookLine: '流水入账',
    },
  },
]

test.each(languages)(
  'reasons, instalments, repeated lines and encodings are shown in $locale',
  {
    timeout: 300_000,
  },
  async ({ locale, texts }) => {
    const school = await schoolWithLines()
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'finance', corp_id: school.corp_id, path: '/finance?tab=matching' },
      { locale },
    )
    await page.getByRole('cell', { name: 'Transfer' }).click()
    await page.getByText(texts.amount).waitFor()
    await page.getByRole('cell', { name: '林晓 Tuition' }).click()
    await page.getByText(texts.instalment).waitFor()
    await takePicture(page, `bank-instalment-${locale}`)
    expect(await barriersOn(page)).toEqual([])

    await page.getByRole('button', { name: texts.add }).click()
    const rows = [
      'date,amount,payer,details',
      '2026-10-15,77.00,Jörg Müller,Unknown',
      '2026-10-16,1.00,Bäcker,',
    ]
    const buffer = Buffer.from(`${rows.join('\n')}\n`, 'latin1')
    await page.locator('input[type=file]').setInputFiles({ name: 'bank.csv', mimeType: '', buffer })
    await page.getByText(texts.repeated).waitFor()
    const encoding = page.locator('input').and(page.getByLabel(texts.encoding))
    await expect.poll(() => encoding.inputValue()).toBe('windows-1252')
    await takePicture(page, `bank-upload-${locale}`)
    expect(await barriersOn(page)).toEqual([])
    await page.getByRole('button', { name: texts.import }).click()
    await page.getByText(texts.imported).waitFor()

    await page.goto(`${server.url}/finance?tab=matching`)
    await page.getByRole('cell', { name: '林晓 Tuition' }).click()
    await page.getByRole('button', { name: texts.book }).click()
    const dialog = page.getByRole('dialog').last()
    await dialog.getByRole('button', { name: texts.bookLine }).click()
    await page.getByText(texts.booked).waitFor()
    await page.getByText(texts.matched, { exact: true }).last().click()
    await page.getByRole('cell', { name: 'Card' }).click()
    await page.getByText(texts.charge).waitFor()
    await takePicture(page, `bank-matched-${locale}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await takePicture(page, `bank-matched-phone-${locale}`)
    expect(complaints).toEqual([])
    const { list } = (await school.call(listBankAccounts)).data
    expect(list).toMatchObject([{ lines: 5, open_lines: 3 }])
    await close()
  },
)

test('a new account is opened alone: until the list has it, no statement can be added to another', async () => {
  const school = await schoolWithLines()
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: '/finance?tab=matching' },
  })
  const add = page.getByRole('button', { name: 'Add statement' })
  await add.waitFor()
  const answered = Promise.withResolvers<void>()
  await page.route(`**${listBankAccounts.path}?*`, async (route) => {
    await answered.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('ICBC 4408')
  await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click()
  await page.waitForURL(/account=\w+/)
  await add.waitFor({ state: 'detached' })
  answered.resolve()
  await add.waitFor()
  const account = page.getByRole('combobox', { name: 'Account', exact: true })
  await expect.poll(() => account.inputValue()).toMatch(/^ICBC 4408/)
  expect(complaints).toEqual([])
  await close()
})
