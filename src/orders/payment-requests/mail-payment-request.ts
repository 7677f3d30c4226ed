import { composeMail } from '../../access/mail/compose-mail.ts'
import { deleteFailedMail, findMailByCause } from '../../access/mail/mail-store.ts'
import { mailLanguages } from '../../access/mail/mail-words.ts'
import { languageOfSchool, queueMail } from '../../access/mail/queue-mail.ts'
import { findIssuer } from '../../access/organizations/issuer-store.ts'
import { contact, shownOnce } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, requireFinance } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { anyOrder } from '../ledger/fields.ts'
import { writtenReference } from './order-reference.ts'
import { findMailRecipient, findOpenRequest } from './payment-request-store.ts'
import { hashOfToken } from './payment-requests.ts'

const corp_id = 'lakeside'

/** Sends the link of a payment request to the person of the order, or to a payer. */
export const mailPaymentRequest = endpoint({
  id: 'mailPaymentRequest',
  method: 'POST',
  path: '/api/v5/entity/order/payment/request/mail',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Send a payment request by mail',
  description:
    'To the e-mail address of the person of the order, or of the payer that `payer_id` names (takes the permission finance). ' +
    'With `dry_run`, nothing is sent: the answer is a preview. A request is sent to each recipient once; a mail that failed can ' +
    'be sent again. The service stores a hash of the token only, so the call sends it.',
  input: Type.Object({
    corp_id: OrganizationId,
    payment_request_id: Id,
    token: Type.String({
      pattern: '^[A-Za-z0-9_-]{32}$',
      description: 'The last part of the path that order/payment/request answered',
    }),
    payer_id: Type.Optional(described(Id, 'Default: the person of the order')),
    language: Type.Optional(oneOf(mailLanguages, 'Default: that of the country of the school')),
    dry_run: Type.Optional(Type.Boolean({ description: 'Preview only' })),
  }),
  data: Type.Object({
    to: contact('email', Type.String()),
    subject: Type.String(),
    text: shownOnce(Type.String()),
    mail: oneOf(
      ['none', 'waiting', 'sent'],
      'none: this was a preview; sent: it was sent before, and is not sent again',
    ),
  }),
  example: {
    input: {
      corp_id,
      payment_request_id: '01906bce7190782fba62f10e23bec1e8',
      token: 'Zl0jJk9sT1mQx4v7b2Yt8uW3rC5nE6aD',
    },
    data: {
      to: 'wang.fang@example.com',
      subject: 'Payment request from Northgate College',
      text: 'Hello,\n\nNorthgate College asks you to pay CNY 3,200.00. Reference: RF78 0001 2345 6.\n',
      mail: 'waiting',
    },
  },
  errors: ['paymentRequestNotFound', 'payerNotFound', 'stateForbids'],

  async handle(
    { db, organization, account, keyring, publicOrigin, sendsMail, now },
    { corp_id, payment_request_id, token, payer_id, language = languageOfSchool(organization), dry_run },
  ) {
    if (payer_id !== undefined) requireFinance(account, 'a mail to a payer')
    if (!sendsMail || publicOrigin === undefined)
      throw new ApiError('stateForbids', {
        msg: 'The service sends no mail: pass the link on.',
        extra: { reason: 'no_mail' },
      })
    return db.transaction(async (tx) => {
      const timeZone = organization.time_zone
      const request = await findOpenRequest(tx, corp_id, hashOfToken(token), { now, timeZone })
      if (request?.payment_request_id !== payment_request_id) throw new ApiError('paymentRequestNotFound')
      const recipient = await findMailRecipient(tx, corp_id, request.order_id, payer_id)
      if (!recipient) throw new ApiError(payer_id === undefined ? 'paymentRequestNotFound' : 'payerNotFound')
      const { person_id, name, email } = recipient
      if (email === '')
        throw new ApiError('stateForbids', {
          msg: 'No e-mail address of the recipient is known.',
          extra: { reason: 'no_email' },
        })
      const issuer = await findIssuer(tx, corp_id)
      const { price, currency, note, expires } = request
      const content = {
        kind: 'payment_request' as const,
        ...{ school: issuer.legal_name || organization.name, price, currency, note },
        reference: writtenReference(request.reference),
        link: `${publicOrigin}/pay/${encodeURIComponent(corp_id)}/${token}`,
        until: expires.slice(0, 10),
      }
      const { subject, text } = composeMail(content, language)
      const shown = { to: email, subject, text }
      if (dry_run) return { ...shown, mail: 'none' as const }
      const cause = `payment_request ${payment_request_id} ${person_id}`
      await deleteFailedMail(tx, corp_id, cause)
      const wanted = {
        ...{ corp_id, cause, language, content, person_id, to: { name, address: email } },
        ...{ record_type: 'payment_requests', record_id: payment_request_id, executor_id: account.app_id },
      }
      if (await queueMail(tx, keyring, wanted, now))
        tx.note({
          ...{ record_type: 'mails', record_id: payment_request_id, person_id },
          after: { kind: content.kind, order_id: request.order_id },
        })
      const state = (await findMailByCause(tx, corp_id, cause))?.state
      return { ...shown, mail: state === 'sent' ? ('sent' as const) : ('waiting' as const) }
    })
  },
})
