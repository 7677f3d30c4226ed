import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/src/languages/en.ts'
import { zh } from '../../console/src/languages/zh.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openBrowser } from '../harness/browser.ts'
import { openConsole } from '../harness/console-page.ts'
import { takePicture } from '../harness/hired-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, password } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
const schools = { harbour: 'Harbour Language School', night: 'Night School 夜校' }
beforeAll(async () => {
  server = await startTestServer('matricula')
  for (const [corp_id, name] of Object.entries(schools))
    await createOrganization(server.database.owner, { corp_id, name }, new Date())
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function inBoth(): Promise<string> {
  const email = `${newId()}@example.com`
  for (const corp_id of Object.keys(schools)) await hire(server, 'viewer', corp_id, email)
  return email
}

test.each([
  ['en-GB', en],
  ['zh-CN', zh],
] as const)(
  'in %s, a person with accounts in two schools chooses one by the keyboard, and later the other',
  async (locale, say) => {
    const email = await inBoth()
    const { page, complaints } = await openConsole(browser, `${server.url}/sign-in`, { locale })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const typePassword = async () => {
      await heading(say.signIn.title)
      await page.getByLabel(say.fields.email).fill(email)
      await page.getByLabel(say.signIn.password, { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await heading(say.signIn.chooseSchool)
    }
    await typePassword()
    await page.getByText(say.signIn.severalSchools).waitFor()
    await takePicture(page, `school-choice-${locale}`)
    const focused = () => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toBe(schools.harbour)
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe(schools.night)
    await page.keyboard.press('Enter')
    await heading(say.frame.today)
    const school = say.frame.chooseSchool.replace('{{name}}', schools.night)
    await page.getByRole('button', { name: school }).click()
    await takePicture(page, `school-switch-${locale}`)
    await page.getByRole('menuitem', { name: say.frame.otherSchool }).click()

    await typePassword()
    await page.getByRole('button', { name: say.signIn.back }).click()
    await typePassword()
    await page.keyboard.press('Enter')
    await heading(say.frame.today)
    await page
      .getByRole('button', { name: say.frame.chooseSchool.replace('{{name}}', schools.harbour) })
      .waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test('a tab of one school leads to the sign-in page once another tab is in another school', async () => {
  const email = await inBoth()
  const { page } = await openConsole(browser, `${server.url}/sign-in`, { locale: 'en-GB' })
  const enter = async (on: typeof page, name: string) => {
    await on.getByLabel(en.fields.email).fill(email)
    await on.getByLabel(en.signIn.password, { exact: true }).fill(password)
    await on.keyboard.press('Enter')
    await on.getByRole('button', { name }).click()
    await on.getByRole('heading', { level: 1, name: en.frame.today }).waitFor()
  }
  await enter(page, schools.harbour)
  const other = await page.context().newPage()
  await other.goto(`${server.url}/sign-in`)
  await enter(other, schools.night)
  await page.getByRole('link', { name: en.frame.people }).click()
  await page.getByRole('heading', { level: 1, name: en.signIn.title }).waitFor()
  await page.context().close()
})
