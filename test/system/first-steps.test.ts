import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateIssuer } from '../../src/backoffice/settings/issuer-settings.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, settled } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { openOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hireStaff } from '../harness/staff.ts'
import { sayIn } from '../harness/words.ts'

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

// In the order of the list.
const steps = ['school', 'staff', 'courses', 'people', 'orders'] as const

test.each([
  { locale: 'en-GB', look: { colorScheme: 'dark' } },
  { locale: 'zh-CN', look: { viewport: { width: 390, height: 844 } } },
] as const)('a new school has a checklist until every step is done ($locale)', async ({ locale, look }) => {
  const say = sayIn(locale)
  const school = await openOrganization(server)
  const { corp_id } = school
  const asked = { role: 'admin', corp_id, path: '/today' } as const
  const { page, complaints, close } = await openHired(browser, server, asked, { locale, ...look })
  const list = page.getByRole('region', { name: say('today.firstSteps.title') })
  const course = { course_code: 'FIRST', name: 'First class', currency: 'CNY', listed_price: 90_000 }
  let user_id = ''
  const does = {
    // Only the administrator may: the call comes from their page.
    school: () => page.evaluate(post, [updateIssuer.path, { corp_id, legal_name: 'A new school' }] as const),
    staff: () => hireStaff(server, corp_id, 'counsellor'),
    courses: () => school.call(upsertCourse, course),
    people: async () => {
      user_id = (await school.call(createUser, { area_code: '86', mobile: '13900000000' })).data.user_id
    },
    orders: () => {
      const price = { listed_price: 90_000, discounted_price: 90_000, installment_count: 1 }
      return school.call(createOrder, { user_id, currency: 'CNY', ...price })
    },
  }
  const screens = {
    ...{ school: /settings\?tab=school$/, staff: /settings\?tab=staff$/, courses: /offerings$/ },
    ...{ people: /leads\/import$/, orders: /orders$/ },
  }
  for (const [index, step] of steps.entries()) {
    await page.goto(`${server.url}/today`)
    await list.getByText(say('today.firstSteps.count', { done: index, total: steps.length })).waitFor()
    await settled(page)
    const items = await list.getByRole('listitem').allInnerTexts()
    expect(items.map((text) => text.includes(say('today.done')))).toEqual(
      steps.map((_, other) => other < index),
    )
    expect(await barriersOn(page)).toEqual([])
    if (index === 1) await takePicture(page, `first-steps-${locale}`)
    const name = say(`today.firstSteps.${step}.name`)
    await list.getByRole('link', { name: `${say('today.firstSteps.start')}: ${name}` }).click()
    await page.waitForURL(screens[step])
    await does[step]()
  }
  await page.goto(`${server.url}/today`)
  await settled(page)
  expect(await list.count()).toBe(0)
  expect(complaints).toEqual([])
  await close()
})

/** Runs in the page. */
async function post([path, input]: readonly [string, object]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await fetch(path, { method: 'POST', headers, body: JSON.stringify(input) })
}
