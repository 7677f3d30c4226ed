import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findPayerIds } from './payer-store.ts'

/** Finds the payers that payments name. The result refuses a payment whose payer does not exist. */
export async function findPayersOf(
  on: Queryable,
  corp_id: string,
  changes: { input: { payer_id?: string } }[],
): Promise<(input: { payer_id?: string }) => void> {
  const named = [...new Set(changes.flatMap(({ input }) => input.payer_id ?? []))]
  const known = named.length > 0 ? await findPayerIds(on, corp_id, named) : new Set()
  return ({ payer_id }) => {
    if (payer_id !== undefined && !known.has(payer_id)) throw new ApiError('payerNotFound')
  }
}
