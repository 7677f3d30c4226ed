/** A payment is applied if an order has money of it. Otherwise it is unapplied, fully refunded or void. */
export const paymentStates = ['applied', 'unapplied', 'refunded', 'void'] as const
export type PaymentState = (typeof paymentStates)[number]
