import { createHmac } from 'node:crypto'

/** The data of a request that the checkout of a school gets. */
export interface CheckoutOrder {
  order_id: string
  /** In minor units. */
  amount: number
  currency: string
  reference: string
}

/** The address of a school's own checkout for an order, with a time stamp and a signature. */
export function checkoutAddress(template: string, order: CheckoutOrder, secret: string, now: Date): string {
  const { order_id, amount, currency, reference } = order
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const url = new URL(filled(template, order))
  const signed = [order_id, amount, currency, reference, timestamp].join('\n')
  url.searchParams.set('timestamp', timestamp)
  url.searchParams.set('signature', createHmac('sha256', secret).update(signed).digest('hex'))
  return url.href
}

/** The fault of a template. An empty one is valid: the school has no checkout. */
export function checkoutFault(template: string): string | undefined {
  if (template === '') return undefined
  const example = { order_id: 'order', amount: 1, currency: 'EUR', reference: 'RF00' }
  const url = URL.parse(filled(template, example))
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return 'must be an https address without a user name'
  if (/[{}]/.test(filled(template, example)))
    return 'must have no other places than {order_id}, {amount}, {currency} and {reference}'
  return /^https:\/\/[^/?#]*[{}]/i.test(template) ? 'must have no places in the name of the host' : undefined
}

function filled(template: string, order: CheckoutOrder): string {
  return template.replaceAll(/\{(order_id|amount|currency|reference)\}/g, (_, name: keyof CheckoutOrder) =>
    encodeURIComponent(order[name]),
  )
}
