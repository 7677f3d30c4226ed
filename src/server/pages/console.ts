import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import { ApiError } from '../../contract/errors.ts'
import { escapeHtml } from '../../contract/escape-html.ts'
import { acceptedIn } from '../compress.ts'
import { findBuild, readPackage } from '../console/console-build.ts'
import { packageFolders } from '../console/pack-package.ts'
import { htmlPage, type Page, type Pages } from './pages.ts'
import type { SchoolLook } from './school-look.ts'

/** Paths of the console's screens. The console routes by itself; at any other path it shows that there is no such page. */
export const screens = [
  '/sign-in',
  '/sign-in/:id',
  '/welcome',
  '/enter',
  '/today',
  '/people',
  '/people/:id',
  '/leads',
  '/leads/import',
  '/orders',
  '/orders/:id',
  '/finance',
  '/cash-up',
  '/reports',
  '/numbers',
  '/offerings',
  '/settings',
  '/help',
]

/** Scripts and styles from our own files; styles also with the nonce of this page; pictures also from data. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The built console, or a page that waits until it is built; and the packages for integrators, which the build makes. */
export function addConsole(
  pages: Pages,
  dataDir: string,
  isSignedIn: (request: IncomingMessage) => boolean,
  lookOf: (corp_id: string) => Promise<SchoolLook | undefined>,
): void {
  let found: Promise<Built> | undefined
  const built = async (): Promise<Built | undefined> => {
    if (found) return found
    const folder = await findBuild(dataDir)
    if (folder) found ??= readBuild(folder)
    return found
  }

  pages.get('/', () => ({ status: 302, headers: { location: '/today' }, body: '' }))
  const screen = async (request: IncomingMessage, look = ''): Promise<Page> => {
    const page = (await built())?.page
    const nonce = randomBytes(16).toString('base64')
    // Without a cookie the page does not ask who is signed in, and no refused call is in the log of the browser.
    const session = isSignedIn(request) ? 'present' : 'absent'
    const filled = page
      ?.replaceAll('{{nonce}}', nonce)
      .replace('{{session}}', session)
      .replace('{{school}}', () => escapeHtml(look))
    if (filled) return htmlPage(filled, pagePolicy(nonce))
    return { ...htmlPage(waitingPage, pagePolicy(nonce), { 'retry-after': 2 }), status: 503 }
  }
  for (const path of screens)
    pages.get(path, async ({ id }, request) => {
      const isSignIn = path.startsWith('/sign-in')
      const look = isSignIn ? await lookOf(id ?? schoolOf(request)) : undefined
      return screen(request, look && JSON.stringify(look))
    })
  const { status, code } = new ApiError('routeNotFound')
  pages.onUnknownPath(async (_, request) => ({ status, ...(await screen(request)), code }))
  pages.get('/assets/:name', async ({ name = '' }, { headers }) => {
    const console = await built()
    const type = types[extname(name)]
    if (!console?.files.has(name) || !type) throw new ApiError('routeNotFound')
    const accepted = acceptedIn(headers['accept-encoding'] ?? '')
    const encoding = encodings.find(
      (each) => accepted.includes(each.name) && console.files.has(`${name}${each.extension}`),
    )
    return {
      headers: {
        'content-type': type,
        ...(encoding && { 'content-encoding': encoding.name }),
        // Its name holds a hash of its content.
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      },
      body: await readFile(join(console.folder, 'assets', `${name}${encoding?.extension ?? ''}`)),
    }
  })
  pages.get('/packages/:name', async ({ name = '' }) => {
    if (!Object.hasOwn(packageFolders, name)) throw new ApiError('routeNotFound')
    const body = await readPackage(dataDir, name)
    if (!body) throw new ApiError('unavailable', { retryAfterSeconds: 2 })
    return { headers: { 'content-type': 'application/gzip' }, body }
  })
}

/** The school that the address of a sign-in page names: `/sign-in?school=…`. */
function schoolOf({ url = '' }: IncomingMessage): string {
  return new URLSearchParams(url.split('?')[1]).get('school') ?? ''
}

interface Built {
  folder: string
  page: string
  /** Names of the built files, with their compressed versions. */
  files: Set<string>
}

async function readBuild(folder: string): Promise<Built> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  return { folder, page, files: new Set(await readdir(join(folder, 'assets'))) }
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** The best compression first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

const waitingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Matricula</title>
</head>
<body>
<p>The console is being built, once for this version. This page reloads by itself. If it is not ready within a minute, see the
log of the server.</p>
<p lang="zh-CN">正在构建控制台，每个版本只需一次。完成后本页会自动继续；若一分钟后仍未完成，请查看服务器日志。</p>
</body>
</html>
`
