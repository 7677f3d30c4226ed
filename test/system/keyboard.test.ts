import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import type { Role } from '../../src/access/staff/roles.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Locale, sayIn } from '../harness/words.ts'

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

/** Somebody who has keys and a screen reader, and neither a mouse nor the picture. */
interface Reader {
  page: Page
  /** Walks with the tab key to the control of this name, and says its role. */
  walkTo(name: string, role?: string): Promise<void>
  /** The focused element, as a screen reader names it. */
  focused(): Promise<{ role: string; name: string }>
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Waits until a live region says it. */
  hears(text: string | RegExp): Promise<void>
}

/** Runs in the page: notes what live regions say. */
const listen = `(() => {
  window.heard = []
  const live = '[aria-live=polite], [aria-live=assertive], [role=alert], [role=status]'
  const note = (node) => {
    const element = node instanceof Element ? node : node.parentElement
    const region = element?.closest(live)
    if (region) window.heard.push(region.textContent)
    else if (element === node) for (const each of element.querySelectorAll(live)) window.heard.push(each.textContent)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) for (const node of addedNodes.length > 0 ? addedNodes : [target]) note(node)
  }).observe(document, { childList: true, subtree: true, characterData: true })
})()`

const mostSteps = 120

async function read(path: string, role: Role, locale: Locale = 'en-GB'): Promise<Reader> {
  const { page } = await openScreen(browser, server.url, path, role, { locale, staff: server.sample.staff })
  await page.evaluate(listen)
  const session = await page.context().newCDPSession(page)
  const focused = async () => {
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId!,
      fetchRelatives: false,
    })
    return { role: String(nodes[0]?.role?.value ?? ''), name: String(nodes[0]?.name?.value ?? '').trim() }
  }
  return {
    page,
    focused,
    async walkTo(name, role) {
      const passed: string[] = []
      for (let step = 0; step < mostSteps; step++) {
        const at = await focused()
        if (at.name === name && (role === undefined || at.role === role)) return
        passed.push(`${at.role} ${at.name}`)
        await page.keyboard.press('Tab')
      }
      throw new Error(`The tab key does not lead to ${name}, but to: ${passed.join(', ')}`)
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
      await settled(page)
    },
    async type(text) {
      await page.keyboard.type(text)
      await settled(page)
    },
    async hears(text) {
      const heard = async () => ((await page.evaluate('window.heard')) as string[]).join('\n')
      await expect.poll(heard).toMatch(text)
    },
  }
}

const list = async (endpoint: typeof listUsers | typeof searchOrders, filter: object) =>
  (await server.call(endpoint, { corp_id: server.sample.corp_id, ...filter })).data.list
const timeout = 180_000

test.each(['en-GB', 'zh-CN'] as const)(
  'a follow-up is logged by keys, and its end is said (%s)',
  {
    timeout,
  },
  async (locale) => {
    const say = sayIn(locale)
    const [person] = await list(listUsers, { owner_id: staffIdOf('counsellor'), pool: 'alive' })
    const reader = await read(`/people/${person.user_id}`, 'counsellor', locale)
    await reader.walkTo(say('record.log'), 'button')
    await reader.press('Enter')
    await expect
      .poll(() => reader.focused())
      .toEqual({ role: 'textbox', name: say('people.followUpContent') })
    await reader.type('Comes on Friday')
    await reader.walkTo(say('people.addFollowUp'), 'button')
    await reader.press('Enter')
    await reader.hears(say('people.followUpAdded'))
    await reader.page.context().close()
  },
)

test('a person is added by keys: the dialog begins at its first field', { timeout }, async () => {
  const say = sayIn('en-GB')
  const reader = await read('/people', 'counsellor')
  await reader.press('n', 'p')
  await reader.page.getByRole('dialog', { name: say('people.add') }).waitFor()
  await expect.poll(() => reader.focused()).toEqual({ role: 'textbox', name: say('people.name') })
  await reader.type('Robin Weiss')
  await reader.walkTo(say('people.mobile'), 'textbox')
  await reader.type('+44 7400 654321')
  await reader.press('Enter')
  await reader.hears(say('people.lead.added'))
  await reader.page.getByRole('heading', { name: 'Robin Weiss' }).waitFor()
  await reader.page.context().close()
})

test('a payment is recorded by keys: its effect is said before, and its end after', { timeout }, async () => {
  const say = sayIn('en-GB')
  const [order] = await list(searchOrders, { status: 'pending' })
  const reader = await read(`/orders/${order.order_id}`, 'finance')
  await reader.walkTo(say('orders.pay'), 'button')
  await reader.press('Enter')
  await reader.page.getByRole('dialog', { name: say('orders.pay') }).waitFor()
  await expect.poll(() => reader.focused()).toEqual({ role: 'textbox', name: say('fields.amount') })
  await reader.hears(say('orders.preview'))
  await reader.walkTo(say('orders.pay'), 'button')
  await reader.press('Enter')
  await reader.hears(/Payment of \S+ recorded\./)

  // The focus returns to where the dialog was opened.
  await expect.poll(() => reader.focused()).toEqual({ role: 'button', name: say('orders.pay') })
  await reader.page.context().close()
})

test('two people are merged by keys, the one who stays is chosen, and the merge is undone', {
  timeout,
}, async () => {
  const say = sayIn('en-GB')
  const reader = await read('/leads?tab=duplicates', 'admin')
  await reader.walkTo(say('leads.merge'), 'button')
  await reader.press('Enter')
  const dialog = reader.page.getByRole('dialog', { name: say('leads.merge') })
  const group = dialog.getByRole('radiogroup', { name: say('leads.personToKeep') })
  await group.waitFor()
  while ((await reader.focused()).role !== 'radio') await reader.press('Tab')
  await reader.press('ArrowDown')
  await expect.poll(() => group.getByRole('radio').nth(1).isChecked()).toBe(true)
  await reader.walkTo(say('leads.merge'), 'button')
  await reader.press('Enter')
  await reader.hears(say('leads.merged'))
  await reader.walkTo(say('common.undo'), 'button')
  await reader.press('Enter')
  await reader.hears(say('common.undone'))
  await reader.page.context().close()
})

test('a refund is decided by keys: the button names the amount', { timeout }, async () => {
  const say = sayIn('en-GB')
  const reader = await read('/today', 'admin')
  await reader.walkTo(say('approvals.approve'), 'button')
  await reader.press('Enter')
  await reader.page.getByRole('dialog', { name: /^Approve: Refund/ }).waitFor()
  for (let at = await reader.focused(); !/^Refund .*\d/.test(at.name); at = await reader.focused())
    await reader.press('Tab')
  await reader.press('Enter')
  await reader.hears(/\d\.\d\d refunded\./)
  await reader.page.context().close()
})
