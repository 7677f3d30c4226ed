import { taken } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findUsedReceipts, type UsedReceipt } from './payment-store.ts'

/** The used receipt numbers of a school. */
export interface KnownReceipts {
  /** The use that a new payment makes of its number, from 1. Refuses a number that a valid payment has. */
  nextUse(receipt_num: number | null | undefined): number
  add(used: UsedReceipt): void
}

export async function findKnownReceipts(
  on: Queryable,
  corp_id: string,
  numbers: (number | undefined)[],
): Promise<KnownReceipts> {
  const named = [...new Set(numbers.filter((number) => number !== undefined))]
  const uses = Map.groupBy(await findUsedReceipts(on, corp_id, named), ({ receipt_num }) => receipt_num)
  return {
    nextUse(receipt_num) {
      const used = uses.get(receipt_num ?? null) ?? []
      // An earlier use may be valid again, because its void was reversed.
      const valid = used.find(({ is_void }) => !is_void)
      if (valid)
        throw taken(
          'receipt_num',
          `${receipt_num} belongs to another payment: use another number, or void it first`,
          {
            payment_id: valid.payment_id,
          },
        )
      return Math.max(0, ...used.map(({ receipt_use }) => receipt_use)) + 1
    },
    add: (payment) => {
      if (payment.receipt_num === null) return
      uses.set(payment.receipt_num, [payment, ...(uses.get(payment.receipt_num) ?? [])])
    },
  }
}
