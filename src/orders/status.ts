/** Interface › States and transitions › Order status. Sub-orders take the same words. */
export const orderStatuses = [
  'created',
  'locked',
  'pending',
  'success',
  'canceled',
  'expired',
  'unconfirmed',
  'tbd',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

export const orderTypes = ['course', 'application_fee', 'corporate_training', 'material', 'transfer', 'other'] as const
export const orderSources = ['open_api', 'console', 'import', 'payment_gateway', 'system'] as const
export const subOrderTypes = ['deposit', 'installment', 'balance', 'application_fee', 'full'] as const
