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
