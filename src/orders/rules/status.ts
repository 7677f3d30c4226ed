import type { OrderStatus } from '../../contract/order-statuses.ts'

/**
 * The state machine: the statuses that an order may move to by hand. The documentation shows this table. Between created,
 * pending and success only money moves an order. A locked order moves to the one that its money implies.
 */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  tbd: ['unconfirmed', 'created', 'canceled'],
  unconfirmed: ['created', 'canceled', 'expired'],
  created: ['locked', 'canceled', 'expired'],
  pending: ['locked', 'canceled', 'expired'],
  locked: ['created', 'pending', 'success', 'canceled'],
  success: ['locked', 'canceled'],
  expired: ['created'],
  canceled: [],
}

/** Moves that follow from payments, voids and refunds, and from confirming a free order. */
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

/** Orders in these statuses take money. A completed order may be overpaid. */
export const payableStatuses: readonly OrderStatus[] = ['created', 'pending', 'success']

/** Orders in these statuses owe what is unpaid. A locked order takes no money for the time being. */
export const owingStatuses: readonly OrderStatus[] = ['created', 'pending', 'locked', 'success']

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
/** Defaults of a creation. */
export const orderDefaults = { type: 'course', source: 'open_api', status: 'created' } as const

export const orderSources = ['open_api', 'console', 'import', 'payment_gateway', 'system'] as const
export const subOrderTypes = ['deposit', 'installment', 'balance', 'application_fee', 'full'] as const
export type SubOrderType = (typeof subOrderTypes)[number]
