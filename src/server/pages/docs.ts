import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js'
import type { Endpoint } from '../../contract/endpoint.ts'
import { errorCatalogue } from '../../contract/errors.ts'
import { openApiOf } from '../../contract/openapi.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import { escapeHtml } from './escape-html.ts'
import { ordersPage } from './orders-page.ts'

const ourPages = join(import.meta.dirname, 'docs-page')
const swaggerUi = swaggerUiFolder()

/** The files that the pages load; nothing else of either folder is served. */
const assets = [
  { name: 'swagger-ui.css', root: swaggerUi },
  { name: 'swagger-ui-bundle.js', root: swaggerUi },
  { name: 'docs.css', root: ourPages },
  { name: 'docs.js', root: ourPages },
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

/** The reference of the catalogue as pages and as OpenAPI, all rendered from the contracts; no other host is involved. */
export async function addDocs(app: FastifyInstance, endpoints: Endpoint[]): Promise<void> {
  const document = JSON.stringify(openApiOf(endpoints, { version: serviceVersion }))
  const render = await pageRenderer()
  const reference = render('API reference', await readFile(join(ourPages, 'reference.html'), 'utf8'))
  const errors = render('Error catalogue', errorsPage())
  const orders = render('How orders move', ordersPage())

  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )
  app.get('/docs', async (_request, reply) => sendPage(reply, reference))
  app.get('/docs/errors', async (_request, reply) => sendPage(reply, errors))
  app.get('/docs/orders', async (_request, reply) => sendPage(reply, orders))

  await app.register(fastifyStatic, { root: ourPages, serve: false })
  for (const { name, root } of assets) {
    // Pages ask for an asset by its content (?v=), so that it may be kept for good.
    app.get(`/docs/assets/${name}`, async (_request, reply) =>
      reply.sendFile(name, root, { maxAge: '365d', immutable: true }),
    )
  }
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('Content-Security-Policy', pagePolicy).type('text/html; charset=utf-8').send(page)
}

type Render = (title: string, main: string) => string

async function pageRenderer(): Promise<Render> {
  const layout = await readFile(join(ourPages, 'layout.html'), 'utf8')
  const versions = new Map<string, string>()
  for (const { name, root } of assets) {
    const content = await readFile(join(root, name))
    versions.set(name, createHash('sha256').update(content).digest('hex').slice(0, 16))
  }
  return (title, main) =>
    layout
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
