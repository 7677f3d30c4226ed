import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSupportLink } from '../../src/access/staff/support/support-link.ts'
import { openBrowser } from '../harness/browser.ts'
import { openConsole } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula', {
    publicUrl: new URL('http://localhost:8080'),
    sendsMail: true,
  })
  browser = await openBrowser()
  school = await openOrganization(server, 'Asia/Shanghai')
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const timeout = 180_000
const phone = { width: 390, height: 844 }

test('an administrator lets support in, support signs in, and the school ends it', { timeout }, async () => {
  const { corp_id } = school
  const path = '/settings?tab=support'
  const { page, complaints } = await openHired(browser, server, { role: 'admin', corp_id, path })
  await page.getByRole('button', { name: 'Let support in' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Name').fill('Kim Lee')
  await dialog.getByLabel('E-mail').fill('kim@operator.example')
  await takePicture(page, 'support-grant-en')
  await dialog.getByRole('button', { name: 'Let support in' }).click()
  await page.getByText('Kim Lee has access now.').waitFor()
  await takePicture(page, 'support-en')

  const wanted = { corp_id, email: 'kim@operator.example' }
  const { link } = await makeSupportLink(server.database.owner.of(corp_id), wanted, new Date())
  const support = await openConsole(browser, `${server.url}/enter#${link}`)
  await support.page.getByText('You are signed in as support until').waitFor()
  await takePicture(support.page, 'support-signed-in-en')

  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByText('The access of Kim Lee has ended.').waitFor()
  await support.page.goto(`${server.url}/people`)
  await support.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('the same in Chinese on a phone, with the notice of read-only mode', { timeout }, async () => {
  const { corp_id } = school
  const look = { locale: 'zh-CN', viewport: phone }
  const path = '/settings?tab=support'
  server.setReadOnly(true)
  const { page } = await openHired(browser, server, { role: 'admin', corp_id, path }, look)
  await page.getByText('系统目前为只读状态：').waitFor()
  await page.getByText('已撤销').waitFor()
  await takePicture(page, 'support-zh-phone')
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(phone.width)
  server.setReadOnly(false)
})

test('an invitation reports that it is mailed, and the list shows the outcome', { timeout }, async () => {
  const { corp_id } = school
  const { page } = await openHired(browser, server, { role: 'admin', corp_id, path: '/settings?tab=staff' })
  await page.getByRole('button', { name: 'Invite' }).first().click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Name').fill('Ann Lee')
  await dialog.getByLabel('E-mail').fill('ann@person.example')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('The link is on its way by mail.').waitFor()
  await takePicture(page, 'mail-invited-en')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Mail on its way').waitFor()
  await takePicture(page, 'mail-staff-en')
})
