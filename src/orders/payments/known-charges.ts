import { invalid } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import type { ReadCharges } from '../ledger/fact-store.ts'
import { type Charge, findPaymentsByCharge, type Payment } from './payment-store.ts'

/** The payments of charges. A missing provider matches any provider. */
export interface KnownCharges {
  /** The valid payment of a charge, or the latest void one. */
  find(charge: Charge): Payment | undefined
  /** The members of a payment that records the charge of an earlier one again. */
  again(earlier: Pick<Payment, 'charge_id' | 'provider'>): Pick<Payment, 'provider' | 'recording'>
  add(payment: Payment): void
  /** The charges that were read, and the numbers of their payments. */
  read: ReadCharges
}

export async function findKnownCharges(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<KnownCharges> {
  const ids = [...new Set(charges.map(({ charge_id }) => charge_id))]
  const payments = await findPaymentsByCharge(on, corp_id, ids)
  // An earlier payment may be valid again, because its void was reversed.
  payments.sort((one, other) => Number(one.is_void) - Number(other.is_void))
  const known = Map.groupBy(payments, ({ charge_id }) => charge_id)
  return {
    read: { ids, payments: payments.length, valid: payments.filter(({ is_void }) => !is_void).length },
    find: ({ provider, charge_id }) => matching(known.get(charge_id) ?? [], provider),
    again({ charge_id, provider }) {
      const recorded = (known.get(charge_id) ?? []).filter((payment) => payment.provider === provider)
      return { provider, recording: Math.max(0, ...recorded.map(({ recording }) => recording)) + 1 }
    },
    add: (payment) => known.set(payment.charge_id, [payment, ...(known.get(payment.charge_id) ?? [])]),
  }
}

/** Valid payments come first, then the latest. */
function matching(payments: Payment[], provider: string): Payment | undefined {
  const exact = payments.find((payment) => payment.provider === provider)
  if (exact) return exact
  if (provider !== '') return payments.find((payment) => payment.provider === '')
  const providers = new Set(payments.map((payment) => payment.provider))
  if (providers.size > 1)
    throw invalid('provider', `is required: the charge_id belongs to ${[...providers].sort().join(' and ')}`)
  return payments[0]
}
