import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../console/src/languages/en.ts'
import { zh } from '../../console/src/languages/zh.ts'
import { redirectAddressOf } from '../../src/access/staff/provider/redirect-address.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { openOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let dns: DnsServer
beforeAll(async () => {
  dns = await startDnsServer()
  const started = await startTestServer('matricula', { dnsServers: [dns.address] })
  // Redirect URIs use the configured address; without a setting, this is localhost.
  server = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await dns?.close()
})

test.each([
  ['en-GB', en, 'lakeside.example', 'annex.example'],
  ['zh-CN', zh, 'hubin.example', 'fenxiao.example'],
] as const)(
  'in %s, a domain is added, checked, verified and removed',
  async (locale, words, domain, other) => {
    const { corp_id } = await openOrganization(server, 'Asia/Shanghai')
    const path = '/settings?tab=sign-in'
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'admin', corp_id, path },
      { locale },
    )
    const { domains, provider } = words
    const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
    const redirect = redirectAddressOf(server.url, corp_id)
    await expect.poll(() => field(provider.redirect).inputValue()).toBe(redirect)
    for (const each of [domain, other]) {
      await field(domains.domain).fill(each)
      await page.getByRole('button', { name: domains.add }).click()
      await page.getByRole('group', { name: each }).getByText(domains.pending).waitFor()
    }
    const card = page.getByRole('group', { name: domain })
    const check = card.getByRole('button', { name: domains.check })
    await check.click()
    await card.getByText(domains.problems.not_found).waitFor()
    expect(await barriersOn(page)).toEqual([])
    const [name, value] = [domains.recordName, domains.recordValue].map((label) =>
      card.getByRole('textbox', { name: label, exact: true }),
    )
    dns.records.set(await name!.inputValue(), [await value!.inputValue()])
    await check.click()
    await card.getByText(domains.byRecord).waitFor()
    await card.scrollIntoViewIfNeeded()
    await takePicture(page, `settings-domains-${locale}`)

    await field(domains.domain).fill('co.uk')
    await page.getByRole('button', { name: domains.add }).click()
    await page.getByRole('alert').getByText(words.errors.domainNotOwnable).waitFor()
    await card.getByRole('button', { name: domains.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: domains.remove }).click()
    await card.waitFor({ state: 'detached' })
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([])
    await close()
  },
  180_000,
)
