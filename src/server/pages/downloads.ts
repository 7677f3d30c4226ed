import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { clientAddress, type TrustProxy } from '../../access/client-address.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { refuseSuspended } from '../../access/organizations/suspend-organization.ts'
import { findFinishedByToken, findPieceOf } from '../../backoffice/finance/exports/export-file-store.ts'
import { ApiError } from '../../contract/errors.ts'
import { escapeHtml } from '../../contract/escape-html.ts'
import { longest } from '../../contract/lengths.ts'
import type { Origin } from '../../contract/origin.ts'
import type { Queryable } from '../../database/database.ts'
import { majorText } from '../../files/amounts.ts'
import { findReceipts, type PrintedReceipt } from '../../orders/ledger/receipt-store.ts'
import { requestIdOf, type Services } from '../call.ts'
import { cookieOf, isFromOurPage } from '../session-cookie.ts'
import { actorKindOf } from '../steps/identify.ts'
import { htmlPage, type Pages } from './pages.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

interface ExportOptions {
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/** Files of the finance office at secret addresses. The audit notes a download before it begins. */
export function addExports(pages: Pages, services: Services, options: ExportOptions): void {
  const { db } = services
  pages.get('/exports/:corp_id/:token', async ({ corp_id = '', token = '' }, request) => {
    if (!isSecretAddress({ corp_id, token })) throw new ApiError('routeNotFound')
    const on = db.of(corp_id)
    const file = await findFinishedByToken(on, corp_id, token)
    if (!file) throw new ApiError('routeNotFound')
    await refuseSuspended(db.shared, corp_id)
    const noted = { action: 'exported', record_type: 'finance_exports', record_id: file.export_id } as const
    const origin = await originOf(services, request, corp_id, options)
    await db.of(corp_id, origin).transaction(async (tx) => tx.note(noted))
    const name = `${file.what}-${file.as_of.slice(0, 10)}.${file.format}`
    return {
      headers: {
        'content-type': types[file.format],
        'content-disposition': `attachment; filename="${name}"`,
        'content-length': file.bytes,
        'x-robots-tag': 'noindex',
      },
      body: Readable.from(piecesOf(on, corp_id, file.export_id)),
    }
  })
}

/**
 * The member of staff who is signed in. The address alone opens the file, so a link on another site works; such a
 * download has no name in the audit.
 */
async function originOf(
  { auth, now }: Services,
  request: IncomingMessage,
  corp_id: string,
  { trustProxy, publicUrl }: ExportOptions,
): Promise<Origin> {
  const session = isFromOurPage(request) === false ? undefined : cookieOf(request, 'session', publicUrl)
  const staff = session && (await auth.sessions.find(session, now()).catch(() => undefined))
  const isColleague = staff && staff.session.corp_id === corp_id
  return {
    ...(isColleague
      ? { actor_kind: actorKindOf(staff), actor_id: staff.app_id }
      : { actor_kind: 'account', actor_id: '' }),
    address: clientAddress(request, trustProxy),
    operation: 'downloadExport',
    request_id: requestIdOf(request),
  }
}

/** Reads one piece at a time, at the speed of the reader. */
async function* piecesOf(on: Queryable, corp_id: string, export_id: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const piece = await findPieceOf(on, corp_id, export_id, seq)
    if (!piece) return
    yield piece
  }
}

/** Whether the address can exist. PostgreSQL refuses NUL in a text. */
export function isSecretAddress({ corp_id, token }: { corp_id: string; token: string }): boolean {
  const isText = !corp_id.includes('\0') && corp_id.isWellFormed()
  return isText && corp_id.length <= longest.id && /^[A-Za-z0-9_-]{32}$/.test(token)
}

const style = `
  body { font: 11pt/1.5 system-ui, sans-serif; color: #111; background: #fff; margin: 2rem auto; max-width: 42rem; padding: 0 1rem }
  section { border: 1px solid #999; padding: 1.5rem 2rem; margin-bottom: 2rem; break-inside: avoid }
  h1 { font-size: 1.1rem; margin: 0 0 .25rem } h2 { font-size: 1.4rem; margin: 0 0 1rem }
  dl { display: grid; grid-template-columns: 12rem 1fr; gap: .25rem 1rem; margin: 0 }
  dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
  @media (max-width: 36rem) { section { padding: 1rem } dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem } }
  .amount { font-size: 1.3rem; font-weight: 600 }
  .void .amount { text-decoration: line-through }
  .void h2 strong { color: #b00 }
  @page { margin: 2cm } @media print { body { margin: 0; max-width: none } section { border-color: #000; break-after: page } }`

/** Its own style and nothing else: no script, no image, no other host. */
const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The receipts of an order as a page to print. Its secret address is all that a reader needs. */
export function addReceipts(pages: Pages, { db }: Services): void {
  pages.get('/receipts/:corp_id/:token', async ({ corp_id = '', token = '' }) => {
    if (!isSecretAddress({ corp_id, token })) throw new ApiError('routeNotFound')
    const [organization] = await findOrganizations(db.shared, [corp_id])
    if (!organization) throw new ApiError('routeNotFound')
    if (organization.is_suspended) throw new ApiError('organizationSuspended')
    const receipts = await findReceipts(db.of(corp_id), corp_id, token, organization.time_zone)
    if (receipts.length === 0) throw new ApiError('routeNotFound')
    return htmlPage(pageOf(organization.name, receipts), policy, { 'x-robots-tag': 'noindex' })
  })
}

function pageOf(school: string, receipts: PrintedReceipt[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipts · ${escapeHtml(school)}</title>
<style>${style}</style>
</head>
<body>
${receipts.map((receipt) => sectionOf(school, receipt)).join('\n')}
</body>
</html>
`
}

const amount = 'Amount 金额'

/** In both languages of the service: the reader's language is unknown. */
function sectionOf(school: string, receipt: PrintedReceipt): string {
  const number = String(receipt.receipt_num)
  const lines: [string, string][] = [
    ['Received from 付款人', receipt.payer],
    [amount, `${majorText(BigInt(receipt.price), receipt.currency)} ${receipt.currency}`],
    ['Paid on 付款时间', receipt.paid],
    ['For 课程', receipt.course_name],
    ['Order 订单', receipt.order_id],
    ['Method 付款方式', receipt.method],
    ['Reference 流水号', receipt.charge_id],
    ['Issued on 开具时间', receipt.issued],
    [
      'Refunded 已退费',
      receipt.refunded > 0
        ? `${majorText(BigInt(receipt.refunded), receipt.currency)} ${receipt.currency}`
        : '',
    ],
    ['Void since 作废时间', receipt.voided],
  ]
  const shown = lines.filter(([, text]) => text !== '')
  return `<section${receipt.voided === '' ? '' : ' class="void"'}>
<h1>${escapeHtml(school)}</h1>
<h2>Receipt 收据 ${number.slice(0, 4)}-${number.slice(4)}${receipt.voided === '' ? '' : ' · <strong>VOID 作废</strong>'}</h2>
<dl>
${shown.map(([term, text]) => `<dt>${term}</dt><dd${term === amount ? ' class="amount"' : ''}>${escapeHtml(text)}</dd>`).join('\n')}
</dl>
</section>`
}
