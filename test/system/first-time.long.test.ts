import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import type { Role } from '../../src/access/staff/roles.ts'
import { openBrowser } from '../harness/browser.ts'
import { goTo, openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Locale, type Say, sayIn } from '../harness/words.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer('first-start')
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Does the tasks of docs/first-time-tasks.md by their shortest way, and counts clicks, fields and key chords. */
class Reader {
  readonly page: Page
  readonly say: Say
  clicks = 0

  constructor(page: Page, locale: Locale) {
    this.page = page
    this.say = sayIn(locale)
  }

  get main() {
    return this.page.locator('main')
  }
  get dialog() {
    return this.page.getByRole('dialog').last()
  }
  region(key: string) {
    return this.page.getByRole('region', { name: this.say(key) })
  }

  async click(target: ReturnType<Page['locator']>): Promise<void> {
    this.clicks++
    await target.first().click()
    await settled(this.page)
  }
  /** Presses a button, link, tab or menu item by its text. */
  async press(key: string, place: ReturnType<Page['locator']> = this.main): Promise<void> {
    const named = { name: this.say(key), exact: true }
    const roles = ['button', 'link', 'tab', 'menuitem'] as const
    await this.click(roles.map((role) => place.getByRole(role, named)).reduce((all, each) => all.or(each)))
  }
  async menu(key: string): Promise<void> {
    await this.click(
      this.page
        .getByRole('navigation')
        .getByRole('link')
        .filter({ hasText: this.say(key) }),
    )
  }
  async fill(key: string, text: string, place = this.dialog): Promise<void> {
    this.clicks++
    await place
      .getByRole('textbox', { name: this.say(key) })
      .first()
      .fill(text)
  }
  async choose(key: string, option?: string): Promise<void> {
    const name = this.say(key)
    const field = this.dialog.getByRole('combobox', { name }).or(this.dialog.getByRole('textbox', { name }))
    await this.click(field)
    const options = this.page.getByRole('option')
    await this.click(option ? options.filter({ hasText: option }) : options)
  }
  /** Finds a record or a command by the command search. */
  async find(text: string, found = text): Promise<void> {
    this.clicks++
    await this.page.keyboard.press('Control+k')
    // Typing before the dialog is open is lost.
    await this.dialog.getByRole('textbox').or(this.dialog.getByRole('combobox')).first().fill(text)
    await this.click(this.dialog.getByRole('button').filter({ hasText: found }))
  }
  async done(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  /** Does a task from Today; returns its clicks. */
  async task(steps: () => Promise<unknown>): Promise<number> {
    await goTo(this.page, '/people')
    await goTo(this.page, '/today')
    this.clicks = 0
    await steps()
    return this.clicks
  }
}

async function readerOf(role: Role, locale: Locale = 'en-GB') {
  const { page, complaints } = await openScreen(browser, server.url, '/today', role, {
    locale,
    staff: server.sample.staff,
  })
  return { reader: new Reader(page, locale), complaints }
}

test('a counsellor finds the way through five tasks without a detour', async () => {
  const { reader: her, complaints } = await readerOf('counsellor')
  const noted = await her.task(async () => {
    await her.find('7086')
    await her.fill('people.followUpContent', 'Mother asks about fees', her.main)
    await her.fill('people.nextCall', 'tomorrow 3 pm', her.main)
    await her.press('people.addFollowUp')
    await her.done(/Next call:.*15:00/)
  })
  const claimed = await her.task(async () => {
    await her.press('people.claim', her.region('today.unclaimed'))
    await her.region('today.unclaimed').getByText(her.say('today.done')).first().waitFor()
  })
  const added = await her.task(async () => {
    await her.find('add', her.say('people.add'))
    await her.fill('fields.name', 'Zhao Min')
    await her.fill('people.mobile', '13800134417')
    await her.press('people.add', her.dialog)
    await her.main.getByRole('heading', { level: 1, name: 'Zhao Min' }).waitFor()
  })
  const ordered = await her.task(async () => {
    await her.find('Zhao Min')
    await her.press('orders.add')
    await her.choose('fields.course')
    her.clicks++
    await her.dialog.getByLabel(her.say('orders.instalmentCount')).fill('3')
    await her.fill('orders.firstDueDate', 'tomorrow')
    await her.press('orders.create', her.dialog)
    await her.page.waitForURL('**/orders/*')
  })
  const tagged = await her.task(async () => {
    await her.find('Zhao Min', '4417')
    await her.press('people.addTag')
    await her.choose('people.tag', 'High intent')
    await her.press('people.addTag', her.dialog)
    await her.dialog.waitFor({ state: 'detached' })
    await her.main.getByText('High intent').first().waitFor()
  })
  expect({ noted, claimed, added, ordered, tagged }).toEqual({
    ...{ noted: 5, claimed: 1, added: 5, ordered: 8, tagged: 6 },
  })
  expect(complaints).toEqual([])
  await her.page.context().close()
})

test('finance finds the way through five tasks without a detour', async () => {
  const { reader: her, complaints } = await readerOf('finance', 'zh-CN')
  const paid = await her.task(async () => {
    const overdue = her.region('today.overdue')
    // A locked order takes no money: nothing asks for it, and its page says so and unlocks it.
    await overdue.getByText(her.say('orderStatus.locked')).first().waitFor()
    expect(await overdue.getByRole('button', { name: her.say('today.remind') }).count()).toBe(0)
    await her.press('today.open', overdue)
    await her.main.getByText(her.say('orders.lockedNotice')).waitFor()
    await her.press('orders.unlock')
    await her.click(her.dialog.locator('[type=submit]'))
    await her.press('orders.pay')
    await her.choose('fields.method', her.say('paymentMethods.cash'))
    await her.press('orders.pay', her.dialog)
    await her.main.getByText(her.say('orderStatus.pending')).first().waitFor()
  })
  const asked = await her.task(async () => {
    await her.press('today.remind', her.region('today.dueSoon'))
    await her.press('paymentRequests.create', her.dialog)
    await her.dialog.getByText(her.say('paymentRequests.copyLink')).waitFor()
  })
  const booked = await her.task(async () => {
    await her.click(
      her
        .region('today.statements')
        .getByRole('link', { name: her.say('today.match') })
        .last(),
    )
    await her.click(her.main.getByText('张伟'))
    await her.press('bank.bookHere')
    await her.press('bank.bookLine', her.dialog)
  })
  const refunded = await her.task(async () => {
    await her.find('王建国', 'Executive MBA')
    await her.press('orders.refund')
    await her.fill('fields.amount', '500')
    await her.fill('fields.reason', '多收')
    await her.press('orders.refund', her.dialog)
    await her.dialog.waitFor({ state: 'detached' })
  })
  const known = await her.task(async () => {
    await her.menu('frame.finance')
    await her.press('finance.ageing')
    await her.main.getByText(her.say('finance.days90')).first().waitFor()
  })
  expect({ paid, asked, booked, refunded, known }).toEqual({
    ...{ paid: 7, asked: 2, booked: 4, refunded: 6, known: 2 },
  })
  expect(complaints).toEqual([])
  await her.page.context().close()
})

test('an administrator finds the way through five tasks without a detour', async () => {
  const { reader: her, complaints } = await readerOf('admin')
  const decided = await her.task(async () => {
    await her.press('approvals.approve', her.region('approvals.title'))
    await her.click(her.dialog.locator('[type=submit]'))
    await her.region('approvals.title').getByText(her.say('today.done')).waitFor()
  })
  const invited = await her.task(async () => {
    await her.find('colleague', her.say('settings.invite'))
    await her.fill('fields.name', 'Chen Chen')
    await her.fill('fields.email', 'chenchen@lakeside.example')
    await her.press('settings.invite', her.dialog)
    await her.done(/Link for Chen Chen/)
  })
  await her.page.keyboard.press('Escape')
  const merged = await her.task(async () => {
    await her.menu('frame.leads')
    await her.press('leads.duplicates')
    await her.press('leads.merge')
    await her.press('leads.merge', her.dialog)
    await her.done(her.say('leads.merged'))
  })
  const offered = await her.task(async () => {
    await her.menu('frame.offerings')
    await her.press('offerings.addCourse')
    await her.fill('fields.name', 'Data Analysis')
    await her.fill('offerings.code', 'DATA-AN')
    await her.fill('fields.listPrice', '12800')
    await her.press('common.save', her.dialog)
    await her.main.getByText('Data Analysis').first().waitFor()
  })
  // The log shows linked entries; the server links them in the background.
  await linkEntries(server.db, server.sample.corp_id)
  const told = await her.task(async () => {
    await her.menu('frame.settings')
    await her.press('activity.title')
    const told = her.main.locator('tbody tr').filter({ hasText: 'Data Analysis' })
    await told.filter({ hasText: '王芳' }).first().waitFor()
  })
  expect({ decided, invited, merged, offered, told }).toEqual({
    ...{ decided: 2, invited: 5, merged: 4, offered: 6, told: 2 },
  })
  // The preview of a merged pair is requested once more while its dialog closes.
  expect(complaints.filter((each) => !each.endsWith('/user/merge/preview'))).toEqual([])
  await her.page.context().close()
})

test.each(['en-GB', 'zh-CN'] as const)(
  'a viewer finds the way through five tasks without a detour (%s)',
  async (locale) => {
    const { reader: her, complaints } = await readerOf('viewer', locale)
    const compared = await her.task(() => her.main.getByText(her.say('today.leads')).first().waitFor())
    const shared = await her.task(async () => {
      await her.menu('frame.reports')
      await her.region('reports.paid').getByText(/\d ?%/).first().waitFor()
    })
    const named = await her.task(async () => {
      await her.menu('frame.reports')
      await her.click(her.region('reports.enrolled').getByRole('link'))
      await her.main.locator('tbody tr').first().waitFor()
    })
    const taken = await her.task(async () => {
      await her.menu('frame.reports')
      await her.press('reports.export')
      const [file] = await Promise.all([
        her.page.waitForEvent('download'),
        her.press('reports.exportRows', her.page.getByRole('menu')),
      ])
      expect(file.suggestedFilename()).toMatch(/^funnel-/)
    })
    const known = await her.task(async () => {
      await her.find('王建国', 'Executive MBA')
      await her.main.getByText(her.say('orderStatus.pending')).first().waitFor()
    })
    expect({ compared, shared, named, taken, known }).toEqual({
      ...{ compared: 0, shared: 1, named: 2, taken: 3, known: 2 },
    })
    expect(complaints).toEqual([])
    await her.page.context().close()
  },
)
