import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { findBuild } from '../console/console-build.ts'

/** The addresses of the console's screens. It finds out by itself which one is meant; at any other path it says that there is none. */
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
  '/reports',
  '/numbers',
  '/offerings',
  '/settings',
  '/help',
]

/** Scripts of our own files only; styles as well, or with the nonce of this very page. Pictures may be drawn in the page. */
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

/** The console as it was built, or, while it is being built, a page that waits for it. */
export function addConsole(app: FastifyInstance, dataDir: string): void {
  let found: Promise<Built> | undefined
  const built = async (): Promise<Built | undefined> => {
    if (found) return found
    const folder = await findBuild(dataDir)
    if (folder) found ??= readBuild(folder)
    return found
  }

  app.get('/', async (_request, reply) => reply.redirect('/today'))
  const sendPage = async (reply: FastifyReply) => {
    const page = (await built())?.page
    const nonce = randomBytes(16).toString('base64')
    reply.header('Content-Security-Policy', pagePolicy(nonce)).type('text/html; charset=utf-8')
    if (page) return reply.send(page.replaceAll('{{nonce}}', nonce))
    return reply.code(503).header('Retry-After', 2).send(waitingPage)
  }
  for (const screen of screens) app.get(screen, async (_request, reply) => sendPage(reply))
  // Only somebody who reads comes this far: see createPages.
  app.setNotFoundHandler(async (request, reply) => {
    request.failureCode = new ApiError('routeNotFound').code
    return sendPage(reply.code(404))
  })
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params
    const console = await built()
    if (!console?.files.has(name) || !(extname(name) in types)) throw new ApiError('routeNotFound')
    const accepted = acceptedIn(request.headers['accept-encoding'] ?? '')
    const encoding = encodings.find(
      (each) => accepted.includes(each.name) && console.files.has(`${name}${each.extension}`),
    )
    if (encoding) reply.header('Content-Encoding', encoding.name)
    return (
      reply
        // Its name holds a hash of its content.
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('Vary', 'Accept-Encoding')
        .type(types[extname(name)]!)
        .send(await readFile(join(console.folder, 'assets', `${name}${encoding?.extension ?? ''}`)))
    )
  })
}

interface Built {
  folder: string
  page: string
  /** What was built, and what of it was compressed. */
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

/** The smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

/** The encodings that a browser takes; one that it puts behind others is left alone. */
function acceptedIn(header: string): string[] {
  return header.split(',').map((each) => each.trim().replace(/;q=1(\.0*)?$/, ''))
}

const waitingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Matricula</title>
</head>
<body>
<p>The console is being built, once for this version. This page goes on by itself; if it does not within a minute, the
log of the server says why.</p>
<p lang="zh-CN">正在构建控制台，每个版本只需一次。完成后本页会自动继续；若一分钟后仍未完成，请查看服务器日志。</p>
</body>
</html>
`
