import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js'
import { ApiError, errorCatalogue } from '../../contract/errors.ts'
import { escapeHtml } from '../../contract/escape-html.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import { openApiDocuments } from '../../openapi-documents.ts'
import { jsonType } from '../respond.ts'
import { guidePage, readChapters } from './guide/guide-pages.ts'
import { ordersPage } from './orders-page.ts'
import { type Language, languageOf } from './page-language.ts'
import { htmlPage, type Pages } from './pages.ts'

const ourPages = join(import.meta.dirname, 'docs-page')
const swaggerUi = swaggerUiFolder()

const [css, javascript] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'] as const

/** The files that the pages load. Nothing else of either folder is served. */
const assets = [
  { name: 'swagger-ui.css', root: swaggerUi, type: css },
  { name: 'swagger-ui-bundle.js', root: swaggerUi, type: javascript },
  { name: 'docs.css', root: ourPages, type: css },
  { name: 'docs.js', root: ourPages, type: javascript },
]

/** As strict as Swagger UI allows: it sets style attributes and draws its icons from data URLs. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The reference as pages and as OpenAPI, rendered from the contracts on first use. No other host is involved. */
export function addDocs(pages: Pages): void {
  const addHtml = (path: string, title: string, main: () => string | Promise<string>) => {
    const rendered = once(async () => (await renderer())(title, await main()))
    pages.get(path, async () => htmlPage(await rendered(), pagePolicy))
  }
  const renderer = once(pageRenderer)
  addHtml('/docs', 'API reference', () => ourPage('reference.html'))
  addHtml('/docs/console', 'Operations of the console', () => ourPage('console-reference.html'))
  addHtml('/docs/errors', 'Error catalogue', errorsPage)
  addHtml('/docs/orders', 'How orders move', ordersPage)

  const chapters = once(readChapters)
  const showGuide = async (request: IncomingMessage, name?: string) => {
    const language = languageOf(request)
    const page = guidePage(await chapters(), language, name)
    if (!page) throw new ApiError('routeNotFound')
    const body = (await renderer())(page.title, page.main, language)
    return htmlPage(body, pagePolicy, { vary: 'accept-language' })
  }
  pages.get('/docs/guide', (_, request) => showGuide(request))
  pages.get('/docs/guide/:chapter', ({ chapter }, request) => showGuide(request, chapter))

  for (const [name, document] of Object.entries(openApiDocuments)) {
    const rendered = once(async () => JSON.stringify(document()))
    pages.get(`/${name}`, async () => ({ headers: { 'content-type': jsonType }, body: await rendered() }))
  }

  for (const { name, root, type } of assets) {
    // The pages name the content of an asset (?v=), so browsers may keep it for good.
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
    pages.get(`/docs/assets/${name}`, async () => ({ headers, body: await readFile(join(root, name)) }))
  }
}

function ourPage(name: string): Promise<string> {
  return readFile(join(ourPages, name), 'utf8')
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Render = (title: string, main: string, language?: Language) => string

const navigation: Record<Language, string> = {
  en: links(['Guide', 'Reference', 'Console', 'Orders', 'Errors', 'OpenAPI']),
  zh: links(['指南', '接口文档', '控制台接口', '订单', '错误', 'OpenAPI']),
}

function links(labels: string[]): string {
  const paths = ['/docs/guide', '/docs', '/docs/console', '/docs/orders', '/docs/errors', '/openapi.json']
  return paths.map((path, index) => `<a href="${path}">${labels[index]}</a>`).join('\n        ')
}

async function pageRenderer(): Promise<Render> {
  const layout = await readFile(join(ourPages, 'layout.html'), 'utf8')
  const versions = new Map<string, string>()
  for (const { name, root } of assets) {
    const content = await readFile(join(root, name))
    versions.set(name, createHash('sha256').update(content).digest('hex').slice(0, 16))
  }
  return (title, main, language = 'en') =>
    layout
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace('{{nav}}', navigation[language])
      .replace('{{main}}', () => main)
      .replaceAll('{{title}}', escapeHtml(title))
      .replaceAll('{{version}}', escapeHtml(serviceVersion))
      .replaceAll(/\{\{asset (.+?)\}\}/g, (_, name) => `/docs/assets/${name}?v=${versions.get(name)}`)
}

function errorsPage(): string {
  const rows = Object.values(errorCatalogue).map(([code, msg, remedy]) => {
    const status = Math.floor(code / 100)
    return `<tr id="${code}"><th scope="row"><a href="#${code}">${code}</a></th>
      <td><span class="status status-${Math.floor(status / 100)}xx">${status}</span> ${STATUS_CODES[status]}</td>
      <td>${escapeHtml(msg)}</td><td>${escapeHtml(remedy)}</td></tr>`
  })
  return `<article class="page">
    <h1>Error catalogue</h1>
    <p>A failure has its HTTP status, and in <code>code</code> a number of this table: the status × 100 and a count.
      <code>msg</code> is one sentence, often more exact than the one below. <code>data.errors</code> names every faulty
      parameter, <code>data.request_id</code> the call.</p>
    <table>
      <thead><tr><th>Code</th><th>HTTP status</th><th>Message</th><th>What to do</th></tr></thead>
      <tbody>${rows.join('\n')}</tbody>
    </table>
  </article>`
}
