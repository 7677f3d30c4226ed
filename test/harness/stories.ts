import type { Page } from 'playwright-core'
import type { stories } from '../../console/src/languages/stories-en.ts'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { goTo, settled } from './console-page.ts'
import type { TestServer } from './server.ts'
import { type Locale, sayIn } from './words.ts'

type Role = keyof typeof stories
type Scene<Which extends Role> = keyof (typeof stories)[Which]['scenes']

/** The steps before the next picture of the day. */
type Act = () => Promise<unknown>
export type Day<Which extends Role = Role> = { [Name in Scene<Which>]: Act }

/** The working day of each role in the sample school, scene by scene, in the order of the captions. */
export async function daysOf(
  server: TestServer,
  page: Page,
  locale: Locale,
): Promise<{ [Which in Role]: Day<Which> }> {
  const say = sayIn(locale)
  const call = async (endpoint: Endpoint, filter: object) =>
    (await server.call(endpoint, { corp_id: server.sample.corp_id, ...filter })).data.list
  const mine = { owner_id: staffIdOf('counsellor') }
  const [person] = await call(listUsers, { ...mine, pool: 'alive' })
  const [owing] = await call(searchOrders, { status: 'pending' })
  // The refund of the story needs a second approver.
  const paid = (await call(searchOrders, { status: 'success', page_size: 100 })).find(
    ({ currency, total_price }: { currency: string; total_price: number }) =>
      currency === 'CNY' && total_price > 10_000_000,
  )
  const go = (path: string) => goTo(page, path)
  const dialog = () => page.getByRole('dialog').last()
  const button = (key: string, place = page.locator('main')) => {
    const named = { name: say(key), exact: true }
    return place.getByRole('button', named).or(place.getByRole('menuitem', named)).first()
  }
  const click = async (key: string, place?: Parameters<typeof button>[1]) => {
    await button(key, place).click()
    await settled(page)
  }
  const confirm = async (key: string) => {
    await dialog()
      .getByRole('button', { name: say(key), exact: true })
      .click()
    await settled(page)
  }
  const fill = async (key: string, text: string) => {
    await dialog()
      .getByRole('textbox', { name: say(key) })
      .first()
      .fill(text)
    await settled(page)
  }
  const choose = async (key: string, option?: string) => {
    await dialog()
      .getByRole('combobox', { name: say(key) })
      .or(dialog().getByRole('textbox', { name: say(key) }))
      .first()
      .click()
    const options = page.getByRole('option')
    await (option ? options.filter({ hasText: option }) : options).first().click()
    await settled(page)
  }
  const section = (key: string) => page.getByRole('region', { name: say(key) })
  const leave = async () => {
    await page.keyboard.press('Escape')
    const discard = dialog().getByRole('button', { name: say('unsaved.discard') })
    if (await discard.isVisible()) await discard.click()
    await settled(page)
  }
  const words = {
    'en-GB': {
      said: 'Wants the part-time intake, asks for a payment plan',
      next: 'tomorrow 3 pm',
      ill: 'Cannot attend',
    },
    'zh-CN': { said: '想报周末班，询问分期方案', next: '明天下午三点', ill: '因故不能上课' },
  }[locale]

  return {
    counsellor: {
      today: () => go('/today'),
      call: () => click('record.call', section('today.callbacks')),
      async log() {
        await click('today.log', section('today.callbacks'))
        await fill('people.followUpContent', words.said)
        await fill('people.nextCall', words.next)
      },
      async claim() {
        await confirm('people.addFollowUp')
        await click('people.claim', section('today.unclaimed'))
        await section('today.unclaimed').getByText(say('today.done')).first().waitFor()
      },
      person: () => go(`/people/${person.user_id}`),
      async tag() {
        await click('people.addTag')
        await choose('people.tag')
      },
      async order() {
        await leave()
        await click('orders.add')
        await choose('fields.course')
        await dialog().getByLabel(say('orders.instalmentCount')).fill('3')
        await fill('orders.firstDueDate', words.next.replace(/ 3 pm|下午三点/, ''))
      },
      async ordered() {
        await confirm('orders.create')
        await page.waitForURL('**/orders/*')
        await settled(page)
      },
      async ask() {
        await click('paymentRequests.ask')
        await confirm('paymentRequests.create')
      },
      async find() {
        await leave()
        await page.keyboard.press('Control+k')
        await dialog().getByPlaceholder(say('frame.search')).fill('王')
        await settled(page)
        await dialog().getByText('王').first().waitFor()
      },
    },
    finance: {
      today: () => go('/today'),
      async remind() {
        await click('today.remind', section('today.dueSoon'))
        // Its code is loaded when it opens.
        await page.getByRole('dialog').waitFor()
      },
      async reconcile() {
        await leave()
        await go('/finance?tab=matching')
      },
      book: () => click('bank.book_payment'),
      async order() {
        await leave()
        await go(`/orders/${owing.order_id}`)
      },
      pay: () => click('orders.pay'),
      paid: () => confirm('orders.pay'),
      async refund() {
        await go(`/orders/${paid.order_id}`)
        await click('orders.refund')
        await dialog().getByLabel(say('fields.amount')).fill('90000')
        await fill('fields.reason', words.ill)
      },
      async waiting() {
        await confirm('approvals.requestApproval')
        await go('/finance?tab=approvals')
      },
      ageing: () => go('/finance?tab=ageing'),
      async closing() {
        await go('/finance?tab=closing')
        await click('finance.closeMonth')
        await fill('finance.closeUntil', { 'en-GB': 'yesterday', 'zh-CN': '昨天' }[locale])
      },
    },
    admin: {
      today: () => go('/today'),
      decide: () => click('approvals.approve', section('approvals.title')),
      async invite() {
        await leave()
        await go('/settings?tab=staff')
        await click('settings.invite')
        await fill('fields.name', '陈晨')
        await fill('fields.email', 'chenchen@lakeside.example')
      },
      link: () => confirm('settings.invite'),
      async course() {
        await confirm('common.done')
        await go('/offerings')
        await click('offerings.addCourse')
      },
      async duplicates() {
        await leave()
        await go('/leads?tab=duplicates')
      },
      merge: () => click('leads.merge'),
      merged: () => confirm('leads.merge'),
      rules: () => go('/settings'),
      activity: async () => {
        // As maintenance does about once a second.
        await linkEntries(server.db, server.sample.corp_id)
        await go('/settings?tab=activity')
        await page
          .locator('tbody tr[aria-rowindex]')
          .or(page.locator('main ul[role=list] > li'))
          .first()
          .waitFor()
      },
    },
    viewer: {
      today: () => go('/today'),
      funnel: () => go('/reports'),
      receipts: () => go('/reports?tab=receipts'),
      async rows() {
        await page.locator('main table a').or(page.locator('main ul[role=list] a')).first().click()
        await settled(page)
      },
      order: () => go(`/orders/${paid.order_id}`),
      people: () => go('/people?order_status=success&pool=alive'),
      person: () => go(`/people/${person.user_id}`),
      refused: () => go('/settings'),
    },
  }
}
