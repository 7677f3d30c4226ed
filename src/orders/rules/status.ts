import type { OrderStatus } from '../../contract/order-statuses.ts'

/** The state machine: from each status, the statuses an order may move to. The documentation shows this very table. */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  tbd: ['unconfirmed', 'created', 'canceled'],
  unconfirmed: ['created', 'canceled', 'expired'],
  created: ['pending', 'locked', 'success', 'canceled', 'expired'],
  pending: ['success', 'locked', 'canceled', 'expired'],
  locked: ['created', 'pending', 'success', 'canceled'],
  success: ['locked', 'canceled'],
  expired: ['created'],
  canceled: [],
}

/**
 * Moves that nobody asks for: they come of money that arrives, or turns out not to have, and of an order for nothing that
 * is confirmed.
 */
export const movesByMoney: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
  tbd: ['success'],
  unconfirmed: ['success'],
  created: ['pending', 'success'],
  pending: ['created', 'success'],
  success: ['created', 'pending'],
  expired: ['pending', 'success'],
}

/** Orders begin in one of these. */
export const firstStatuses = ['created', 'unconfirmed', 'tbd'] as const satisfies OrderStatus[]

/** Money is taken in these; a completed order may still be overpaid, since what was paid was paid. */
export const payableStatuses: readonly OrderStatus[] = ['created', 'pending', 'success']

/** A deadline that passes expires an order in these. */
export const expirableStatuses: readonly OrderStatus[] = ['unconfirmed', 'created', 'pending']

/** Prices and the plan of instalments may change in these. */
export const repriceableStatuses: readonly OrderStatus[] = ['tbd', 'unconfirmed', 'created', 'pending']

export const orderTypes = [
  'course',
  'application_fee',
  'corporate_training',
  'material',
  'transfer',
  'other',
] as const
/** What an order is where its creation does not say. */
export const orderDefaults = { type: 'course', source: 'open_api', status: 'created' } as const

export const orderSources = ['open_api', 'console', 'import', 'payment_gateway', 'system'] as const
export const subOrderTypes = ['deposit', 'installment', 'balance', 'application_fee', 'full'] as const
export type SubOrderType = (typeof subOrderTypes)[number]
