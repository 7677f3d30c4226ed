import { ApiError } from '../../contract/errors.ts'
import { type ColumnFault, RowRefused } from '../../files/column-faults.ts'

/** The ledger's own parameters under the names that a row has for them. */
const columnOfPaymentInput: Record<string, string> = {
  price: 'paid_price',
  currency: 'paid_currency',
  completed_time: 'paid_time',
  comments: 'payment_comments',
  source: 'payment_source',
  provider: 'payment_provider',
  method: 'payment_method',
  rate: 'exchange_rate',
}

const columnOfCode: Record<number, [column: string, reason: string]> = {
  40401: ['user_id', 'names no user of the organization'],
  40407: ['course_code', 'names no course of the organization'],
  40408: ['batch', 'names no batch of the course'],
  40409: ['coupon_ids', 'names a coupon that does not exist'],
}

/** What a refusal says of the columns of a row; undefined where it was no refusal. */
export function faultsOf(error: unknown, ofPayment = false): ColumnFault[] | undefined {
  if (error instanceof RowRefused) return error.faults
  if (!(error instanceof ApiError)) return undefined
  const known = columnOfCode[error.code]
  if (known) return [{ column: known[0], reason: known[1] }]
  const { errors } = error.details
  if (!errors || errors.length === 0)
    return [{ column: ofPayment ? 'paid_price' : 'external_id', reason: error.message.replace(/\.$/, '') }]
  return errors.map(({ param, reason }) => ({ column: columnOf(param, ofPayment), reason }))
}

/** What is refused of the payment of a row names the columns that tell of it. */
export function asPayment<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const faults = faultsOf(error, true)
    throw faults ? new RowRefused(faults) : error
  }
}

function columnOf(param: string, ofPayment: boolean): string {
  const name = param.split('.')[0]!
  if (ofPayment) return columnOfPaymentInput[name] ?? name
  return name === 'batch_id' ? 'batch' : name
}
