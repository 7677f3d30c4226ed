import { invalid } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { type Charge, findPaymentsByCharge, type Payment } from './payment-store.ts'

/** The payments of charges. A missing provider matches any provider. */
export interface KnownCharges {
  find(charge: Charge): Payment | undefined
  add(payment: Payment): void
  /** The charges that were read, and the number of their payments. */
  read: { ids: string[]; payments: number }
}

export async function findKnownCharges(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<KnownCharges> {
  const ids = [...new Set(charges.map(({ charge_id }) => charge_id))]
  const payments = await findPaymentsByCharge(on, corp_id, ids)
  const known = Map.groupBy(payments, ({ charge_id }) => charge_id)
  return {
    read: { ids, payments: payments.length },
    find: ({ provider, charge_id }) => matching(known.get(charge_id) ?? [], provider),
    add: (payment) => known.set(payment.charge_id, [payment, ...(known.get(payment.charge_id) ?? [])]),
  }
}

/** The latest payment of a charge comes first. */
function matching(payments: Payment[], provider: string): Payment | undefined {
  const exact = payments.find((payment) => payment.provider === provider)
  if (exact) return exact
  if (provider !== '') return payments.find((payment) => payment.provider === '')
  const providers = new Set(payments.map((payment) => payment.provider))
  if (providers.size > 1)
    throw invalid('provider', `is required: the charge_id belongs to ${[...providers].sort().join(' and ')}`)
  return payments[0]
}
