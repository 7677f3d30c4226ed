/** A payment is void, or lies on orders, or on none; and what lies on none may all have gone back. */
export const paymentStates = ['applied', 'unapplied', 'refunded', 'void'] as const
export type PaymentState = (typeof paymentStates)[number]
