import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { inject } from 'vitest'
import type { SampleColleague } from '../../sample/sample-staff.ts'
import { createSession } from '../../src/access/staff/create-session.ts'
import type { Role } from '../../src/access/staff/roles.ts'
import { sameOrigin } from './staff.ts'

interface ConsolePage {
  page: Page
  /** Faults that the browser reported, including violations of the security policy. */
  complaints: string[]
}

interface Cookie {
  name: string
  value: string
  url: string
}

interface PageOptions
  extends Pick<BrowserContextOptions, 'colorScheme' | 'viewport' | 'hasTouch' | 'isMobile'> {
  locale?: 'en-GB' | 'zh-CN'
  /** The fixed time of the browser's clock. Absent: the clock runs. */
  now?: Date
  /** The staff of the school; those of the sample school that the test run shares, if left out. */
  staff?: SampleColleague[]
}

/** Opens a page of the console in a new browser without a session. */
export async function openConsole(
  browser: Browser,
  address: string,
  { locale = 'en-GB', now, cookies = [], ...options }: PageOptions & { cookies?: Cookie[] } = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ locale, ...options })
  await context.addCookies(cookies)
  const page = await context.newPage()
  // A slow machine must not fail a test.
  page.setDefaultTimeout(60_000)
  followRequests(page)
  if (now) await page.clock.setFixedTime(now)
  // A page without a session gets 401.
  const complaints = noteComplaints(page, 401)
  await page.goto(address)
  return { page, complaints }
}

/**
 * Collects the faults of a page from now on: thrown errors, console errors, policy violations and refused requests.
 * These are no faults: the status `expected`; 503, after which the page retries on a busy machine; and the refused preview of
 * a form that is still being filled in.
 */
export function noteComplaints(page: Page, expected?: number): string[] {
  const complaints: string[] = []
  page.on('response', (response) => {
    const [status, { pathname }] = [response.status(), new URL(response.url())]
    const isDryRun = response.request().postData()?.includes('"dry_run":true')
    if (status < 400 || status === 503 || status === expected || (status === 409 && isDryRun)) return
    complaints.push(`${status} ${pathname}`)
  })
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with')
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** Opens a screen as a signed-in person of the sample school. Signing in has its own tests. */
export async function openScreen(
  browser: Browser,
  url: string,
  path: string,
  role: Role,
  { staff = inject('sample').staff, ...options }: PageOptions = {},
): Promise<ConsolePage> {
  const cookies = await cookiesOf(url, staff.find((each) => each.role === role)!)
  const opened = await openConsole(browser, url + path, { ...options, cookies })
  await settled(opened.page)
  return opened
}

/** Signs a person in. */
export async function cookiesOf(url: string, { email, password }: SampleColleague): Promise<Cookie[]> {
  const response = await fetch(url + createSession.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...sameOrigin },
    body: JSON.stringify({ email, password }),
  })
  return response.headers.getSetCookie().map((set) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
    return { name: name!, value: value!, url }
  })
}

/** Goes to another screen as a link of the page does, without reloading the console. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  await settled(page)
}

/** Waits until a screen is complete: no pending request, no animation, no busy indicator. */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page)!
  for (const deadline = Date.now() + 60_000; ; ) {
    // Every earlier request of the page is noted before this response arrives.
    const isStill = await page.evaluate(isStillForTwoFrames)
    if (isStill && requests.size === 0) return
    if (Date.now() > deadline)
      throw new Error(`${page.url()} does not settle: ${[...requests].map((each) => each.url())}`)
  }
}

const underWay = new WeakMap<Page, Set<Request>>()

/** Tracks the pending requests of a page, for `settled`. */
export function followRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Runs in the page. The router knows the pending screen, which is not in the document yet. */
const isStillForTwoFrames = `(async () => {
  const isStill = () => {
    const { state, latestLocation } = window.__TSR_ROUTER__ ?? {}
    return (
      state?.status === 'idle' &&
      state.resolvedLocation?.href === latestLocation.href &&
      document.querySelector('main h1') !== null &&
      document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null &&
      document.getAnimations().every(({ playState }) => playState !== 'running')
    )
  }
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
    if (!isStill()) return false
  }
  return true
})()`

/**
 * Runs in the page. Half-transparent text of a notice that fades in has too little contrast, and so have faded rows of an
 * earlier filter. Skeletons move for ever.
 */
const untilMotionEnds = `(async () => {
  const isFinite = ({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)
  // Changed colours begin to move in the next frame.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  for (;;) {
    // Rows below a dialog may stay faded until it ends.
    const faded = document.querySelector('[role=dialog]') ? '[role=dialog] [data-stale]' : '[data-stale]'
    while (document.querySelector(faded)) await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter((each) => each.playState === 'running' && isFinite(each))
    if (moving.length === 0) return
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
})()`

let axe: Promise<string> | undefined

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** Everything that axe finds on the page, of any impact; by all its rules, or by some; in all of it, or in a part. */
export async function barriersOn(page: Page, rules?: readonly string[], part?: string): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(untilMotionEnds)
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(await axe)
  // Only violations are reported.
  const options = { resultTypes: ['violations'], selectors: false, preload: false, iframes: false }
  const violations: Violation[] = await page.evaluate(
    `axe.run(${part ? JSON.stringify(part) : 'document'}, ${JSON.stringify({ ...options, ...(rules && { runOnly: rules }) })}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => `${id} (${impact}): ${html.slice(0, 200)}`),
  )
}
