import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { createSession } from '../../src/access/staff/create-session.ts'
import { confirmationMs } from '../../src/access/staff/sessions.ts'
import { findEventDays } from '../../src/events/feed-store.ts'
import { findLimits } from '../../src/orders/limits/money-limit-store.ts'
import { findClaimRules } from '../../src/people/users/claims/claim-store.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, settled } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { client, type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, openTab, password } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
let provider: OpenIdProvider
let school: TestOrganization
let page: Page
let complaints: string[]
beforeAll(async () => {
  server = await startTestServer('matricula', { privateProviders: true })
  browser = await openBrowser()
  provider = await startOpenIdProvider(server.url, {})
  school = await openOrganization(server, 'Asia/Shanghai')
  const opened = await openHired(browser, server, {
    ...{ role: 'admin', corp_id: school.corp_id, path: '/settings' },
  })
  page = opened.page
  complaints = opened.complaints
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await server?.close()
})

const timeout = 180_000
const dialog = () => page.getByRole('dialog').last()
const said = (text: string | RegExp) => page.getByText(text).last().waitFor()
const open = async (tab: string) => {
  await page.goto(`${server.url}/settings?tab=${tab}`)
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
}
const limits = () => findLimits(server.db.of(school.corp_id), school.corp_id, 'refund')

test('the school decides how long its event feed is kept', { timeout }, async () => {
  const days = page.getByLabel('Days the event feed is kept')
  await days.waitFor()
  await expect.poll(() => days.inputValue()).toBe('90')
  await days.fill('30')
  await takePicture(page, 'settings-event-days')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await said('Settings saved.')
  expect(await findEventDays(server.db.of(school.corp_id), school.corp_id)).toBe(30)
})

test('limits for refunds are set by currency, and raised with a second administrator', {
  timeout,
}, async () => {
  await page.getByText('everyone who can refund can do so alone').waitFor()
  await page.getByRole('button', { name: 'Add currency' }).click()
  const save = page.getByRole('button', { name: 'Save limits' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await page.getByLabel('No approval needed up to').fill('50')
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'settings-limits')
  await save.click()
  // The notice may be that of an earlier save.
  await expect.poll(limits).toEqual({ CNY: 5000 })
  // The form begins again with the stored limits.
  await settled(page)
  await page.getByRole('button', { name: 'Remove the CNY limit' }).click()
  await save.click()
  await said('Another administrator must approve the change. The current limits apply until then.')
  expect(await limits()).toEqual({ CNY: 5000 })
  await page.getByText('You requested this. Someone else must decide.').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  const second = await openHired(browser, server, { role: 'admin', corp_id: school.corp_id, path: '/today' })
  await second.page
    .getByRole('region', { name: 'Limit changes to approve' })
    .getByRole('link')
    .first()
    .click()
  await second.page.getByText(/requests to change the limits from .*50\.00 to No limit/).waitFor()
  expect(await barriersOn(second.page)).toEqual([])
  await takePicture(second.page, 'settings-limits-to-approve')
  await second.page.getByRole('button', { name: 'Approve' }).click()
  await second.page.getByText('The new limits apply now.').waitFor()
  expect(await limits()).toEqual({})
  expect(second.complaints).toEqual([])
  await second.close()
  await open('school')
})

test('after an undo, the form shows the earlier values', { timeout }, async () => {
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect.poll(() => name.inputValue()).not.toBe('')
  const before = await name.inputValue()
  for (const pool of ['Public pool', 'Active', 'Closed'])
    await page.getByText(pool, { exact: true }).waitFor()
  await name.fill('Another name')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await said('Settings saved.')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => name.inputValue()).toBe(before)
  await expect.poll(() => save.isDisabled()).toBe(true)
})

test('the provider is tested, set, changed without showing its secret, and removed', {
  timeout,
}, async () => {
  await open('sign-in')
  const issuer = page.getByLabel('Issuer')
  await issuer.fill('http://localhost:1')
  await page.getByRole('button', { name: 'Test address' }).click()
  await page.getByText(/No provider found/).waitFor()
  await issuer.fill(provider.issuer)
  await page.getByRole('button', { name: 'Test address' }).click()
  await page.getByText(/The provider responded/).waitFor()
  await page.getByLabel('Client ID').fill(client.client_id)
  const save = page.getByRole('button', { name: 'Save' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  const secret = page.getByLabel('Client secret')
  await secret.fill(client.client_secret)
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'settings-provider')
  await save.click()
  await said('Settings saved.')
  await open('sign-in')
  await expect.poll(() => issuer.inputValue()).toBe(provider.issuer)
  expect(await secret.inputValue()).toBe('')
  // Everything but the secret changes without it; the address of another provider does not.
  await page.getByLabel(/Treat addresses as verified/).check()
  await save.click()
  await said('Settings saved.')
  await issuer.fill('https://elsewhere.example.com')
  await expect.poll(() => save.isDisabled()).toBe(true)
  await open('sign-in')
  await page.getByRole('button', { name: 'Remove provider' }).click()
  await dialog().getByRole('button', { name: 'Remove provider' }).click()
  await said('Provider removed.')
  await expect.poll(() => issuer.inputValue()).toBe('')
})

test('an account is created and limited, gets a second secret, and loses the old one', {
  timeout,
}, async () => {
  await open('accounts')
  await page.getByRole('button', { name: 'Add API account' }).first().click()
  await dialog().getByLabel('Name').fill('Portal')
  await dialog().getByRole('button', { name: 'Add API account' }).click()
  await page.getByRole('dialog', { name: 'Secret of Portal' }).getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /Portal/ })
  await row.click()
  await dialog().getByLabel('Finance').check()
  await dialog().getByLabel('Last valid day').fill('2999-12-31')
  const networks = dialog().getByLabel('Allowed addresses')
  await networks.fill('everywhere')
  await networks.press('Enter')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByRole('alert').waitFor()
  // The typed text is still there, to be corrected.
  await networks.press('Backspace')
  await networks.fill('203.0.113.0/24')
  await networks.press('Enter')
  for (const rule of ['Any number', 'Current time', 'Current time, single use'])
    await dialog().getByRole('radio', { name: rule, exact: true }).check()
  await dialog().getByLabel('Require signed money calls').check()
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'settings-account')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await said('Portal saved.')
  await row.getByText('Read, Change, Finance').waitFor()

  await row.click()
  const once = dialog().getByRole('radio', { name: 'Current time, single use', exact: true })
  await expect.poll(() => once.isChecked()).toBe(true)
  await dialog().getByRole('button', { name: 'Create new secret' }).click()
  await dialog().getByLabel('Old secret valid until').fill('2999-12-30')
  await dialog()
    .getByText(/its tokens work until the end of 2999-12-30/)
    .waitFor()
  await dialog().getByRole('button', { name: 'Create new secret' }).click()
  await page.getByRole('dialog', { name: 'Secret of Portal' }).getByRole('button', { name: 'Done' }).click()
  await row.getByText('Two valid secrets').waitFor()
  await row.click()
  await dialog().getByRole('button', { name: 'Revoke old secret' }).click()
  await said('Old secret and its tokens revoked.')
  await row.getByText('Active').waitFor()
})

test('giving access and changing settings ask for the password if it was entered a while ago', {
  timeout,
}, async () => {
  const own = await openHired(browser, server, {
    ...{ role: 'admin', corp_id: school.corp_id, path: '/settings?tab=staff' },
  })
  let later = Date.now()
  const confirmed = async (act: () => Promise<void>) => {
    later += confirmationMs + 60_000
    server.setNow(new Date(later))
    await act()
    const once = own.page.getByRole('dialog', { name: 'Confirm your identity' })
    await once.getByRole('textbox', { name: 'Password' }).fill(password)
    await once.getByRole('button', { name: 'Continue' }).click()
    await once.waitFor({ state: 'hidden' })
  }
  const press = (name: string) => own.page.getByRole('dialog').getByRole('button', { name }).click()
  await own.page.getByRole('button', { name: 'Invite staff' }).click()
  await own.page.getByRole('dialog').getByLabel('Name').fill('孙宁')
  await own.page.getByRole('dialog').getByLabel('E-mail').fill('sun.ning@example.com')
  await confirmed(() => press('Invite staff'))
  await takePicture(own.page, 'settings-invited-with-password')
  await own.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  const row = own.page.getByRole('row', { name: /孙宁/ })
  await row.click()
  await own.page.getByRole('combobox', { name: 'Role' }).click()
  await own.page.getByRole('option', { name: 'Finance' }).click()
  await confirmed(() => press('Change role'))
  await row.getByText('Finance').waitFor()
  await row.click()
  await confirmed(() => press('Create link'))
  await own.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await own.page.goto(`${server.url}/settings`)
  await own.page.getByLabel('Maximum contacts revealed per staff member per hour').fill('90')
  await confirmed(() => own.page.getByRole('button', { name: 'Save', exact: true }).click())
  await own.page.getByText('Settings saved.').waitFor()
  expect((await findClaimRules(server.db.of(school.corp_id), school.corp_id)).reveals_per_hour).toBe(90)
  server.setNow(undefined)
  // The browser notes that the confirmation was asked for, with 403.
  expect(own.complaints.filter((text) => !text.includes('403'))).toEqual([])
  await own.close()
})

test('a person is invited and gets a new link; other staff cannot read their address', {
  timeout,
}, async () => {
  await open('staff')
  await page.getByRole('button', { name: 'Invite staff' }).click()
  await dialog().getByLabel('Name').fill('赵敏')
  await dialog().getByLabel('E-mail').fill('zhao@example.com')
  await dialog().getByRole('button', { name: 'Invite staff' }).click()
  const link = page.getByRole('dialog', { name: 'Link for 赵敏' })
  const first = await link.getByLabel('Link').inputValue()
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Invite staff' }).click()
  await dialog().getByLabel('Name').fill('赵敏')
  await dialog().getByLabel('E-mail').fill('zhao@example.com')
  await dialog().getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: /^Administrator/ }).click()
  await dialog().getByRole('button', { name: 'Invite staff' }).click()
  await dialog()
    .getByText(/already invited as Counsellor\./)
    .waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: /赵敏.*Counsellor.*Invited/ }).click()
  await dialog().getByRole('button', { name: 'Create link' }).click()
  const second = await link.getByLabel('Link').inputValue()
  expect(second).toMatch(/\/welcome#[\w-]+\.[\w-]{43}$/)
  expect(second).not.toBe(first)
  await link.getByRole('button', { name: 'Done' }).click()
  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await guest.goto(second)
  await guest.getByLabel('New password').fill(password)
  await guest.getByRole('button', { name: 'Save and sign in' }).click()
  await guest.waitForURL('**/today')
  await guest.context().close()
})

test('the log is filtered by person, operation and day in its address, and exported as a file', {
  timeout,
}, async () => {
  const { email, staff_id } = await hire(server, 'viewer', school.corp_id)
  const { corp_id } = school
  await openTab(server).call(createSession, { email, password: 'no password of theirs', corp_id })
  await expect
    .poll(async () => {
      const { rows } = await server.database.superuser.query(
        `select 1 from audit_entries where record_type = 'failed_sign_ins' and record_id = $1`,
        [staff_id],
      )
      return rows.length
    })
    .toBe(1)
  for (let n = 0; n < 51; n++) await school.call(createUser, { email: `${n}@log.example` })
  await linkEntries(server.db, school.corp_id)
  await open('activity')
  // The newest are first; older pages can be opened.
  const made = page.getByRole('row').filter({ hasText: 'Tester added' }).first()
  await made.locator('td').nth(2).click()
  await dialog()
    .getByText(/· Tester · createUser/)
    .waitFor()
  await dialog().getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: '2', exact: true }).click()
  await page.waitForURL(/page=2$/)
  await page.getByText(/^51–/).waitFor()
  await page.goBack()
  await page.getByText(/^1–50 of/).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('combobox', { name: 'Operation' }).fill('createSession')
  await page.getByRole('option', { name: 'createSession' }).click()
  await page.waitForURL(/operation=createSession/)
  await page.getByRole('row').filter({ hasText: 'failed to sign in' }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await takePicture(page, 'settings-activity')
  expect(await barriersOn(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(3)
  expect(text).toContain(staff_id)
  await openTab(server).call(createSession, { email, password, corp_id })
  await linkEntries(server.db, corp_id)
  await page.goto(`${server.url}/settings?tab=activity&who=${staff_id}`)
  await page.getByRole('row').filter({ hasText: 'signed in' }).first().waitFor()
  await page.goto(`${server.url}/settings?tab=activity&who=${staff_id}&until=2020-01-01`)
  await page.getByText('No records.').waitFor()
})

test('a session that ends during typing is renewed over the page, and nothing typed is lost', {
  timeout,
}, async () => {
  await open('staff')
  await page.getByRole('button', { name: 'Invite staff' }).click()
  await dialog().getByLabel('Name').fill('孙浩')
  await dialog().getByLabel('E-mail').fill('sun@example.com')
  await server.database.superuser.query(`update staff_sessions set seen_at = now() - interval '13 hours'`)
  await dialog().getByRole('button', { name: 'Invite staff' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByRole('textbox', { name: 'Password' }).fill('no password of mine')
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.getByRole('alert').waitFor()
  await takePicture(page, 'sign-in-again')
  expect(await barriersOn(page)).toEqual([])
  await again.getByRole('textbox', { name: 'Password' }).fill(password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  const link = page.getByRole('dialog', { name: 'Link for 孙浩' })
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /孙浩.*sun@example.com/ }).waitFor()
  // After a week it always ends. Cancelling leads to the sign-in page, and signing in back to the same place.
  await server.database.superuser.query(`update staff_sessions set ctime = now() - interval '8 days'`)
  await page.getByRole('tab', { name: 'API accounts' }).click()
  await again.getByRole('button', { name: 'Other sign-in methods' }).click()
  await page.waitForURL(/\/sign-in\?to=.*accounts/)
})

test('signing out everywhere ends every session of the person, also in another browser', {
  timeout,
}, async () => {
  const { email } = await hire(server, 'viewer', school.corp_id)
  const [here, there] = await Promise.all(
    [1, 2].map(async () => {
      const other = await (await browser.newContext({ locale: 'en-GB' })).newPage()
      await other.goto(`${server.url}/sign-in`)
      await other.getByLabel('E-mail').fill(email)
      await other.getByRole('textbox', { name: 'Password' }).fill(password)
      await other.getByRole('button', { name: 'Sign in', exact: true }).click()
      await other.waitForURL('**/today')
      return other
    }),
  )
  await here!.getByRole('button', { name: /A viewer/ }).click()
  await here!.getByRole('menuitem', { name: 'Sign out on all devices' }).click()
  await here!.waitForURL('**/sign-in**')
  await there!.goto(`${server.url}/people`)
  await there!.waitForURL('**/sign-in**')
  await Promise.all([here, there].map((each) => each!.context().close()))
  // The browser logs refusals with 400, 401 and 409.
  expect(complaints.filter((text) => !/40[019]/.test(text))).toEqual([])
})
