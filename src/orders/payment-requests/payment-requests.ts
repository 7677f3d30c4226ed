import { createHash, randomBytes } from 'node:crypto'
import { shownOnce } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  namedObject,
  OrganizationId,
  oneOf,
  optionalText,
  Timestamp,
} from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { amountIn } from '../../files/written-amounts.ts'
import '../../access/mail/queue-mail.ts'
import { deleteWaitingMails } from '../../access/mail/mail-store.ts'
import { anyOrder, PaidPrice } from '../ledger/fields.ts'
import { isOrder, readStates } from '../ledger/order-state-store.ts'
import { held, type OrderState, outstanding } from '../rules/order-rules.ts'
import { newReference, writtenReference } from './order-reference.ts'
import {
  countOpenRequests,
  findOrStoreReference,
  findRequestPage,
  insertRequest,
  type PaymentRequest,
  revokeRequest,
} from './payment-request-store.ts'
import { dueNow, requestStates, restOf, stateOf } from './request-state.ts'

const shared = { group: 'Orders', since: 'Ver5.2026-11-18' } as const
const most = { open: 20, days: 90, note: 200 }
const usualDays = 14
const msPerDay = 86_400_000

const RequestRow = namedObject('PaymentRequest', {
  payment_request_id: Id,
  order_id: Id,
  state: oneOf(
    requestStates,
    'paid: the requested amount arrived since the request, or the order owes nothing',
  ),
  price: described(Money, 'The requested amount'),
  due_price: described(Money, 'The rest of it'),
  currency: Type.String(),
  reference: described(
    Type.String(),
    'Reference for the transfer of the payer; statement lines that name it find the order',
  ),
  note: Type.String(),
  opened: described(
    Timestamp,
    'When a person first had the page before them; previews by messengers do not count',
  ),
  expires: Timestamp,
  revoked: Timestamp,
  executor_id: Type.String(),
  ctime: Timestamp,
})

const corp_id = 'lakeside'
const example: Static<typeof RequestRow> = {
  payment_request_id: '01906bce7190782fba62f10e23bec1e8',
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
  state: 'open',
  price: 320_000,
  due_price: 320_000,
  currency: 'CNY',
  reference: 'RF78000123456',
  note: '',
  opened: '',
  expires: '2024-03-25 09:30:00',
  revoked: '',
  executor_id: 'lakeside-finance',
  ctime: '2024-03-11 09:30:00',
}

/** Creates a link to a page that asks the payer of an order for money. */
export const requestPayment = endpoint({
  ...shared,
  id: 'requestPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/request',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Request a payment by a link',
  description:
    'The link leads to a page for the payer, in English or Chinese: the purpose, the amount due now and in total, the bank ' +
    'details of the school with a reference, and a QR code. It shows the first name of the person and nothing else of them. ' +
    'The path is in this response only, because the service stores a hash of its token. `messages` are texts for the payer; ' +
    `replace {link} with the address of the service and the path. An order has at most ${most.open} open requests.`,
  input: Type.Object({
    corp_id: OrganizationId,
    order_id: Id,
    price: Type.Optional(
      described(
        PaidPrice,
        'At most the unpaid amount; default: everything overdue, otherwise the next instalment',
      ),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: most.days,
        default: usualDays,
        description: 'Days until the link expires',
      }),
    ),
    note: optionalText(most.note, 'A text for the payer'),
  }),
  data: Type.Object({
    ...RequestRow.properties,
    path: shownOnce(
      described(
        Type.String(),
        'Path of the page on this server; "" if the call is repeated with its Idempotency-Key',
      ),
    ),
    url: shownOnce(
      described(Type.String(), 'The whole address of the page; "" if the public address is not configured'),
    ),
    messages: namedObject('PaymentMessages', { en: Type.String(), zh: Type.String() }),
  }),
  example: {
    input: { corp_id, order_id: '0196387a0150799abd8a38c0c2c1d569' },
    data: {
      ...example,
      path: `/pay/${corp_id}/Zl0jJk9sT1mQx4v7b2Yt8uW3rC5nE6aD`,
      url: `https://matricula.example.edu/pay/${corp_id}/Zl0jJk9sT1mQx4v7b2Yt8uW3rC5nE6aD`,
      messages: {
        en: 'Please pay CNY 3,200.00 to Northgate College. Details: {link}',
        zh: '请向 Northgate College 支付 ¥3,200.00。详情：{link}',
      },
    },
  },
  errors: ['orderNotFound', 'stateForbids'],

  async handle(
    { db, organization, account, newId, now, publicOrigin },
    { corp_id, order_id, price, days = usualDays, note = '' },
  ) {
    const token = randomBytes(24).toString('base64url')
    const path = `/pay/${encodeURIComponent(corp_id)}/${token}`
    const timeZone = organization.time_zone
    return db.transaction(async (tx) => {
      const state = await payableState(tx, corp_id, order_id)
      if (price !== undefined && price > outstanding(state))
        throw invalid('price', `must be at most ${outstanding(state)}, the unpaid amount`)
      if ((await countOpenRequests(tx, corp_id, order_id, now)) >= most.open)
        throw new ApiError('stateForbids', {
          msg: `The order has ${most.open} open requests. Revoke one first.`,
        })
      await storeReference(tx, corp_id, order_id, now)
      const made = {
        payment_request_id: newId(),
        ...{ order_id, note, currency: state.currency, held_price: held(state), executor_id: account.app_id },
        token_hash: hashOfToken(token),
        price: price ?? dueNow(state, now),
        expires_at: new Date(now.getTime() + days * msPerDay),
      }
      await insertRequest(tx, corp_id, made, now)
      const { list } = await findRequestPage(
        tx,
        { corp_id, order_id, limit: most.open + 1, offset: 0 },
        { now, timeZone },
      )
      const request = list.find(({ payment_request_id }) => payment_request_id === made.payment_request_id)!
      return {
        ...requestRow(request, state),
        path,
        url: publicOrigin === undefined ? '' : `${publicOrigin}${path}`,
        messages: messagesOf(organization.name, request),
      }
    })
  },
})

/** The requests of an order, or of all. */
export const listPaymentRequests = endpoint({
  ...shared,
  id: 'listPaymentRequests',
  method: 'GET',
  path: '/api/v5/entity/order/payment/request/list',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List payment requests, the newest first',
  input: Type.Object({ corp_id: OrganizationId, order_id: Type.Optional(Id), ...pageParameters }),
  data: pageOf(RequestRow),
  example: {
    input: { corp_id, order_id: example.order_id },
    data: { total: 1, page: 0, page_size: 10, list: [example] },
  },
  errors: ['orderNotFound'],

  async handle({ db, organization, now }, { corp_id, order_id, ...paging }) {
    if (order_id !== undefined && !(await isOrder(db, corp_id, order_id))) throw new ApiError('orderNotFound')
    const { page, page_size, limit, offset } = windowOf(paging)
    const filter = { corp_id, limit, offset, ...(order_id !== undefined && { order_id }) }
    const { total, list } = await findRequestPage(db, filter, { now, timeZone: organization.time_zone })
    const states = await readStates(db, corp_id, [...new Set(list.map((request) => request.order_id))])
    return {
      total,
      page,
      page_size,
      list: list.map((request) => requestRow(request, states.get(request.order_id))),
    }
  },
})

/** Revokes the link of a request. */
export const revokePaymentRequest = endpoint({
  ...shared,
  id: 'revokePaymentRequest',
  method: 'POST',
  path: '/api/v5/entity/order/payment/request/revoke',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Revoke a payment request',
  description: 'The page is no longer found. A second call changes nothing.',
  input: Type.Object({ corp_id: OrganizationId, payment_request_id: Id }),
  data: Type.Object({ payment_request_id: Id }),
  example: {
    input: { corp_id, payment_request_id: example.payment_request_id },
    data: { payment_request_id: example.payment_request_id },
  },
  errors: ['paymentRequestNotFound'],

  async handle({ db, account, now }, { corp_id, payment_request_id }) {
    const author = { executor_id: account.app_id, now }
    const found = await db.transaction(async (tx) => {
      await deleteWaitingMails(tx, corp_id, payment_request_id)
      return revokeRequest(tx, corp_id, payment_request_id, author)
    })
    if (found === undefined) throw new ApiError('paymentRequestNotFound')
    return { payment_request_id }
  },
})

/** The stored form of a token: the database alone opens no page. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

async function payableState(tx: Queryable, corp_id: string, order_id: string): Promise<OrderState> {
  const state = (await readStates(tx, corp_id, [order_id])).get(order_id)
  if (!state) throw new ApiError('orderNotFound')
  if (outstanding(state) === 0 || state.status === 'locked')
    throw new ApiError('stateForbids', {
      msg: 'The order owes nothing, or takes no money now.',
      extra: { reason: 'nothing_due' },
    })
  return state
}

/** A proposed reference that another order has is as likely as one in a billion, so a few attempts are enough. */
async function storeReference(tx: Queryable, corp_id: string, order_id: string, now: Date): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++)
    if (await findOrStoreReference(tx, corp_id, order_id, newReference(), now)) return
  throw new Error('No free payment reference was found')
}

function requestRow(request: PaymentRequest, state: OrderState | undefined): Static<typeof RequestRow> {
  const { held_price: _, is_expired: __, is_revoked: ___, ...shown } = request
  return { ...shown, state: stateOf(request, state), due_price: state ? restOf(request, state) : 0 }
}

function messagesOf(school: string, { price, currency, reference }: PaymentRequest) {
  const written = writtenReference(reference)
  return {
    en: `Please pay ${amountIn('en', price, currency)} to ${school}. Reference: ${written}. Details and bank account: {link}`,
    zh: `请向${school}支付 ${amountIn('zh', price, currency)}，付款附言：${written}。付款说明与收款账户：{link}`,
  }
}
