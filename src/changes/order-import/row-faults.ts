import { ApiError } from '../../contract/errors.ts'
import { type ColumnFault, type FaultColumns, faultsOfError, RowRefused } from '../../files/column-faults.ts'

const byCode: FaultColumns['byCode'] = {
  40401: { column: 'user_id', reason: 'names no user of the organization' },
  40407: { column: 'course_code', reason: 'names no course of the organization' },
  40408: { column: 'batch', reason: 'names no batch of the course' },
  40409: { column: 'coupon_ids', reason: 'names a coupon that does not exist' },
}

const orderFaults: FaultColumns = { byCode, byParameter: { batch_id: 'batch' }, fallback: 'external_id' }

const paymentFaults: FaultColumns = {
  byCode,
  byParameter: {
    price: 'paid_price',
    currency: 'paid_currency',
    completed_time: 'paid_time',
    comments: 'payment_comments',
    source: 'payment_source',
    provider: 'payment_provider',
    method: 'payment_method',
    rate: 'exchange_rate',
  },
  fallback: 'paid_price',
}

/** The faults of an error, by column; undefined for other errors. */
export function faultsOf(error: unknown, columns = orderFaults): ColumnFault[] | undefined {
  if (error instanceof RowRefused) return error.faults
  return error instanceof ApiError ? faultsOfError(error, columns) : undefined
}

/** Runs work on the payment of a row: its errors name the columns of the payment. */
export function asPayment<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const faults = faultsOf(error, paymentFaults)
    throw faults ? new RowRefused(faults) : error
  }
}
