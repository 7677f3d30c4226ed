import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { goTo, openConsole } from '../../harness/console-page.ts'
import { password } from '../../harness/staff.ts'
import { type Locale, sayIn } from '../../harness/words.ts'

const viewport = { width: 1280, height: 900 }

/** A person of the finance office at the screens of the console, in one language. */
export type Accountant = Awaited<ReturnType<typeof seatAccountant>>

/** Signs a person in with e-mail and password. */
export async function seatAccountant(browser: Browser, url: string, locale: Locale, email: string) {
  const say = sayIn(locale)
  const { page, complaints } = await openConsole(browser, url, { locale, viewport })
  const amount = (minor: number, currency = 'CNY') =>
    new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100).replace('-', '−')
  /** As a person types it. */
  const typed = (minor: number) => (minor / 100).toFixed(2)
  await page.getByLabel(say('fields.email')).fill(email)
  await page.getByLabel(say('signIn.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('signIn.title'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: say('frame.today') }).waitFor()

  const dialog = () => page.getByRole('dialog').last()
  const press = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true }).first().click()
  /** Presses the button that runs the action of a dialog, and waits until it closes. */
  const confirm = async (name: string) => {
    const open = await page.getByRole('dialog').count()
    await press(name, dialog())
    await page
      .getByRole('dialog')
      .nth(open - 1)
      .waitFor({ state: 'detached' })
  }
  /** The label of a required field ends with a star. */
  const field = (label: string) => dialog().getByLabel(new RegExp(`^${label}( \\*)?$`))
  const fill = (label: string, text: string) => field(label).fill(text)
  const choose = async (label: string, option: string | RegExp) => {
    await dialog().getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option }).first().click()
  }
  /** Finds an order by the name of its student. */
  const chooseOrder = async (label: string, student: string) => {
    await dialog().getByLabel(label).fill(student)
    await page.getByRole('option', { name: new RegExp(student) }).click()
  }
  const choosePayer = async (payer: string) => {
    await dialog()
      .getByRole('combobox', { name: say('payers.payer') })
      .fill(payer)
    await page.getByRole('option', { name: payer }).click()
  }
  const said = (text: string) => page.getByText(text).first().waitFor()
  const row = (text: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('row').filter({ hasText: text })
  const openTab = async (name: string, more = '') => {
    await goTo(page, `/finance?tab=${name}${more}`)
    await page.getByRole('tab', { selected: true }).waitFor()
  }
  const openOrder = async (order_id: string) => {
    await goTo(page, `/orders/${order_id}`)
    await page.getByRole('table', { name: say('orders.money') }).waitFor()
  }
  /** Confirms the session if the service asks for it. */
  const confirmIdentity = async () => {
    const asked = page.getByRole('dialog', { name: say('confirmation.title') })
    await asked.locator('input[type=password]').fill(password)
    await asked.getByRole('button', { name: say('confirmation.submit') }).click()
  }
  const upload = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
  /** The text of the file that a click downloads. */
  const download = async (click: () => Promise<void>) => {
    const started = page.waitForEvent('download')
    await click()
    return readFile(await (await started).path(), 'utf8')
  }

  return {
    ...{
      page,
      complaints,
      say,
      amount,
      typed,
      dialog,
      press,
      confirm,
      fill,
      choose,
      chooseOrder,
      choosePayer,
      said,
      row,
    },
    ...{ openTab, openOrder, confirmIdentity, upload, download },
    leave: () => page.context().close(),
  }
}

/** Words in Latin letters on the screen that are neither codes nor typed by a person. */
export async function foreignWordsOn({ page }: Accountant, known: RegExp): Promise<string[]> {
  const text = (await page.locator('main, [role=dialog]').allInnerTexts()).join('\n')
  const words = text.match(/(?<![\p{L}\p{N}_])\p{Script=Latin}{3,}(?![\p{L}\p{N}_])/gu) ?? []
  return [...new Set(words.filter((word) => !known.test(word)))]
}
