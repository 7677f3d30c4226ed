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
  const latest = new Map<number | null, UsedReceipt>()
  const add = (used: UsedReceipt) => {
    if (used.receipt_use >= nextOf(latest.get(used.receipt_num))) latest.set(used.receipt_num, used)
  }
  for (const used of await findUsedReceipts(on, corp_id, named)) add(used)
  return {
    nextUse(receipt_num) {
      const used = receipt_num === null || receipt_num === undefined ? undefined : latest.get(receipt_num)
      if (used && !used.is_void)
        throw taken(
          'receipt_num',
          `${receipt_num} belongs to another payment: use another number, or void it first`,
          {
            payment_id: used.payment_id,
          },
        )
      return nextOf(used)
    },
    add,
  }
}

function nextOf(used: UsedReceipt | undefined): number {
  return (used?.receipt_use ?? 0) + 1
}
