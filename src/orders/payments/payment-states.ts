/** A payment is void, or lies on orders, or on none. */
export const paymentStates = ['applied', 'unapplied', 'void'] as const
export type PaymentState = (typeof paymentStates)[number]
