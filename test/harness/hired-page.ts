import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Role } from '../../src/access/staff/roles.ts'
import { followRequests, noteComplaints } from './console-page.ts'
import type { TestServer } from './server.ts'
import { hire } from './staff.ts'

interface HiredPage {
  page: Page
  /** Every fault that the browser reports, including violations of the content security policy. */
  complaints: string[]
  close(): Promise<void>
}

interface Look {
  locale?: string
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
}

/** Opens a page of the console as a new member of staff. */
export async function openHired(
  browser: Browser,
  server: TestServer,
  { role, corp_id, path }: { role: Role; corp_id: string; path: string },
  look: Look = {},
): Promise<HiredPage> {
  const { tab } = await hire(server, role, corp_id)
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    ...look,
  })
  const cookies = tab.cookie!.split('; ').map((pair) => {
    const [name, ...value] = pair.split('=')
    return { name: name!, value: value.join('='), url: server.url }
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  followRequests(page)
  const complaints = noteComplaints(page)
  await page.goto(server.url + path)
  return { page, complaints, close: () => context.close() }
}

/** Saves a picture if MATRICULA_PICTURES names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MATRICULA_PICTURES
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}
