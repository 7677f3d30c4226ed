import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { clientAddress, type TrustProxy } from '../../access/client-address.ts'
import {
  checkoutSealName,
  findCheckoutSecret,
  findIssuer,
  findLogo,
} from '../../access/organizations/issuer-store.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { ApiError } from '../../contract/errors.ts'
import { escapeHtml } from '../../contract/escape-html.ts'
import { amountIn, dayIn } from '../../files/written-amounts.ts'
import { readStates } from '../../orders/ledger/order-state-store.ts'
import { checkoutAddress } from '../../orders/payment-requests/checkout-address.ts'
import { epcPayload } from '../../orders/payment-requests/epc-payload.ts'
import { firstNameOf } from '../../orders/payment-requests/first-name.ts'
import { writtenReference } from '../../orders/payment-requests/order-reference.ts'
import {
  findOpenRequest,
  findRequestedOrder,
  noteOpening,
} from '../../orders/payment-requests/payment-request-store.ts'
import { hashOfToken } from '../../orders/payment-requests/payment-requests.ts'
import { restOf } from '../../orders/payment-requests/request-state.ts'
import { outstanding } from '../../orders/rules/order-rules.ts'
import type { Services } from '../call.ts'
import { isSecretAddress } from './downloads.ts'
import { type Language, languageOf } from './page-language.ts'
import { htmlPage, type Page, type Pages } from './pages.ts'
import { type PaymentPageWords, paymentPageWords } from './payment-page-words.ts'

const style = `
  :root { color-scheme: light }
  body { font: 16px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; color: #111; background: #f4f5f7; margin: 0 }
  main { background: #fff; max-width: 30rem; margin: 1.5rem auto; padding: 1.5rem; border-radius: 12px; box-sizing: border-box }
  header { display: flex; justify-content: space-between; align-items: center; gap: 1rem }
  header img { max-width: 9rem; max-height: 3.5rem } nav a { color: #1c5fb8 }
  h1 { font-size: 1.25rem; margin: 1rem 0 .25rem } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
  p { margin: .25rem 0 } .due { font-size: 2rem; font-weight: 650; margin: .5rem 0 0 } .faint { color: #5a6270; font-size: .9rem }
  dl { margin: 0 } dt { color: #5a6270; font-size: .85rem; margin-top: .5rem } dd { margin: 0; overflow-wrap: anywhere; user-select: all }
  .reference { font: 600 1.15rem ui-monospace, monospace }
  .button { display: block; text-align: center; background: #1c5fb8; color: #fff; padding: .75rem; border-radius: 8px; text-decoration: none; margin-top: 1rem }
  .qr { width: 11rem; height: 11rem; display: block; margin: 1rem auto .25rem } .center { text-align: center }
  @media (max-width: 32rem) { main { margin: 0; border-radius: 0; min-height: 100vh } }
  @media print { body { background: #fff } nav, .button { display: none } }`

const openedHeader = 'x-opened'

/**
 * Reports that a person has the page before them. Mail servers and messengers fetch links to preview them, so the request
 * for the page itself proves nothing. The page works without the script.
 */
const script = `
  let isNoted = false
  const note = () => {
    if (isNoted || document.visibilityState !== 'visible') return
    isNoted = true
    fetch(location.pathname + '/opened', { headers: { '${openedHeader}': '1' } }).catch(() => {})
  }
  setTimeout(note, 2000)
  for (const name of ['pointerdown', 'keydown', 'scroll', 'visibilitychange']) addEventListener(name, note)`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Its own style, script and logo in the page itself: no form, no other host. */
const policy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const viewsPerMinute = 60

interface PaymentPageOptions {
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/**
 * The page of a payment request. Its secret address is all that a payer needs. A wrong, expired or revoked address shows
 * the same page, so it tells nothing.
 */
export function addPaymentPage(pages: Pages, services: Services, options: PaymentPageOptions): void {
  pages.get('/pay/:corp_id/:token', async (address, request) => {
    const language = languageOf(request)
    const now = services.now()
    const shown = await find('pay', address, request, now)
    return shown
      ? await pageOf(shown, language, addressOf(request, options.publicUrl), now)
      : missingPage(language)
  })

  // The answer tells nothing about the address. Only a script sends the header: a link or a preview does not.
  pages.get('/pay/:corp_id/:token/opened', async (address, request) => {
    const now = services.now()
    const isSeen =
      request.method === 'GET' && request.headers[openedHeader] !== undefined && !services.isReadOnly()
    const shown = isSeen ? await find('opened', address, request, now) : undefined
    if (shown) {
      const { corp_id = '' } = address
      await noteOpening(services.db.of(corp_id), corp_id, shown.request.payment_request_id, now)
    }
    return { status: 204, body: '' }
  })

  async function find(
    counter: string,
    { corp_id = '', token = '' }: Record<string, string>,
    request: IncomingMessage,
    now: Date,
  ): Promise<Shown | undefined> {
    const client = clientAddress(request, options.trustProxy)
    const { count, endsAtMs } = await services.memory.rateCounter.count(
      'calls',
      `${counter} ${client}`,
      1,
      now.getTime(),
    )
    if (count > viewsPerMinute)
      throw new ApiError('tooManyRequests', {
        retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
      })
    return isSecretAddress({ corp_id, token }) ? readShown(services, corp_id, token, now) : undefined
  }
}

type Shown = NonNullable<Awaited<ReturnType<typeof readShown>>>

async function readShown(services: Services, corp_id: string, token: string, now: Date) {
  const { db } = services
  const [organization] = await findOrganizations(db.shared, [corp_id])
  if (!organization || organization.is_suspended) return undefined
  const on = db.of(corp_id)
  const timeZone = organization.time_zone
  const request = await findOpenRequest(on, corp_id, hashOfToken(token), { now, timeZone })
  if (!request) return undefined
  const state = (await readStates(on, corp_id, [request.order_id])).get(request.order_id)
  const order = await findRequestedOrder(on, corp_id, request.order_id)
  if (!state || !order) return undefined
  const issuer = await findIssuer(on, corp_id)
  const logo = issuer.logo_id === '' ? undefined : await findLogo(on, corp_id, issuer.logo_id)
  return {
    school: issuer.legal_name || organization.name,
    ...{ request, order, issuer, logo },
    checkout: await checkoutOf(services, corp_id, issuer.checkout_url),
    due: restOf(request, state),
    total: outstanding(state),
  }
}

/** The template and the secret of the school's own checkout; undefined without one. */
async function checkoutOf({ db, auth }: Services, corp_id: string, template: string) {
  const sealed = template === '' ? undefined : await findCheckoutSecret(db.of(corp_id), corp_id)
  return sealed && { template, secret: auth.keyring.open(checkoutSealName(corp_id), sealed) }
}

/** The address of the page itself, without the chosen language. */
function addressOf({ url = '', headers }: IncomingMessage, publicUrl: URL | undefined): string {
  const [path = ''] = url.split('?')
  return new URL(path, publicUrl ?? `http://${headers.host ?? 'localhost'}`).href
}

function missingPage(language: Language): Page {
  const words = paymentPageWords[language]
  const body = `<h1>${words.missing}</h1><p>${words.missingHint}</p>`
  return { status: 404, ...framed(words.missing, body, language, '', false) }
}

async function pageOf(
  { school, request, order, issuer, logo, checkout, due, total }: Shown,
  language: Language,
  address: string,
  now: Date,
) {
  const words = paymentPageWords[language]
  const { currency, reference, note, expires } = request
  const money = (price: number) => escapeHtml(amountIn(language, price, currency))
  const person = firstNameOf(order)
  const purpose = [order.course_name, person === '' ? '' : words.forPerson(person)]
    .filter(Boolean)
    .join(' · ')
  const epc = epcPayload(issuer, { price: due, currency, reference })
  const image = logo
    ? `<img src="data:${logo.type};base64,${logo.content.toString('base64')}" alt="${escapeHtml(school)}">`
    : ''
  const head = `<h1>${escapeHtml(school)}</h1>${purpose === '' ? '' : `<p>${escapeHtml(purpose)}</p>`}${
    note === '' ? '' : `<p>${escapeHtml(note)}</p>`
  }`
  if (due === 0) return framed(school, `${head}<p class="due">${words.paid}</p>`, language, image)
  const { order_id } = request
  const paying =
    checkout &&
    checkoutAddress(checkout.template, { order_id, amount: due, currency, reference }, checkout.secret, now)
  const button = paying
    ? `<a class="button" rel="noopener noreferrer" href="${escapeHtml(paying)}">${words.checkout}</a>\n`
    : ''
  const body = `${head}
<p class="faint">${words.dueNow}</p><p class="due">${money(due)}</p>
<p class="faint">${words.total}${money(total)} · ${words.validUntil} ${escapeHtml(dayIn(language, expires.slice(0, 10)))}</p>
${button}<h2>${words.transfer}</h2>
<dl>${bankRows(issuer, words)}<dt>${words.reference}</dt><dd class="reference">${writtenReference(reference)}</dd></dl>
<p class="faint">${words.referenceHint}</p>
<div class="qr">${await qrCode(epc ?? address)}</div>
<p class="faint center">${epc === undefined ? words.qrPage : words.qrBank}</p>
<p class="faint">${words.noPayments}</p>`
  return framed(school, body, language, image)
}

function bankRows(issuer: Shown['issuer'], words: PaymentPageWords): string {
  const rows: [string, string][] = [
    [words.bankAccountName, issuer.bank_account_name],
    [words.bankAccountNumber, issuer.bank_account_number],
    [words.bankName, issuer.bank_name],
    [words.bankCode, issuer.bank_code],
  ]
  const given = rows.filter(([, text]) => text !== '')
  if (given.length === 0) return `<dd>${words.noBank}</dd>`
  return given.map(([label, text]) => `<dt>${label}</dt><dd>${escapeHtml(text)}</dd>`).join('')
}

/** Loaded on first use: start-up needs no QR codes. */
async function qrCode(content: string): Promise<string> {
  const { renderSVG } = await import('uqr')
  return renderSVG(content, { border: 0, ecc: 'M' })
}

function framed(title: string, body: string, language: Language, image: string, isFound = true): Page {
  const [other, name] = language === 'en' ? ['zh', '中文'] : ['en', 'English']
  const html = `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header><span>${image}</span><nav><a href="?language=${other}" lang="${other}">${name}</a></nav></header>
${body}
</main>
${isFound ? `<script>${script}</script>` : ''}
</body>
</html>
`
  return htmlPage(html, policy, { 'x-robots-tag': 'noindex, nofollow', 'content-language': language })
}
