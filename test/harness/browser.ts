import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { type Chromium, runs } from './chromium.ts'
import { chromiumOfDebian } from './chromium-of-debian.ts'
import { chromiumOfNpm } from './chromium-of-npm.ts'

/** A real Chromium for tests of pages, found or fetched without a system-wide installation. */
export async function openBrowser(): Promise<Browser> {
  found ??= findChromium()
  const { executablePath, env } = await found
  // Playwright gives every browser its own empty profile.
  const browser = await chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env } })
  if (slowAnswersMs > 0) slowDown(browser)
  return browser
}

/** Maximum delay of each call of a page. It shows the assertions that hold only if the service is quick. */
const slowAnswersMs = Number(process.env.MATRICULA_SLOW_ANSWERS ?? 0)

function slowDown(browser: Browser): void {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    await delayCalls(context)
    return context
  }
}

/** A random delay, so that calls of one page also arrive in another order. */
async function delayCalls(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async (route) => {
    await setTimeout(slowAnswersMs * (0.2 + 0.8 * Math.random()))
    // The page may be closed by now.
    await route.fallback().catch(() => {})
  })
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let found: Promise<Chromium> | undefined

async function findChromium(): Promise<Chromium> {
  const explicit = process.env.MATRICULA_TEST_BROWSER
  if (explicit) {
    if (await runs({ executablePath: explicit })) return { executablePath: explicit }
    throw new Error(`MATRICULA_TEST_BROWSER names ${explicit}, which does not run.`)
  }
  for (const find of [chromiumOfNpm, installedChromium, chromiumOfDebian]) {
    const candidate = await find()
    if (candidate) return candidate
  }
  throw new Error(
    'The tests of pages need Chromium and found none: install chromium or Google Chrome, ' +
      'or name a binary in MATRICULA_TEST_BROWSER.',
  )
}

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const usualFolders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/usr/lib/chromium', '/snap/bin']
const usualPlaces = [
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

async function installedChromium(): Promise<Chromium | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...usualFolders]
  const paths = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...usualPlaces]
  for (const executablePath of new Set(paths)) {
    // Some distributions have a stub here that only asks for an installation, so the program is run.
    if (existsSync(executablePath) && (await runs({ executablePath }))) return { executablePath }
  }
  return undefined
}
