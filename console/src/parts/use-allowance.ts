import { useSession } from '../app/session.tsx'
import { useCall } from '../calls/use-call.ts'

export interface Allowance {
  /** Whether the school limits what this person does with prices and payments. */
  isLimited: boolean
  /** How much of a list price they may take off, in percent. */
  discountPercent: number
  recordsPayments: boolean
}

/** What a counsellor may give away. The service refuses the rest as well. */
export function useAllowance(): Allowance {
  const { can } = useSession()
  const isLimited = !can('finance')
  const { data } = useCall('fetchOrganization', {}, { enabled: isLimited })
  return {
    isLimited,
    discountPercent: isLimited ? (data?.counsellor_discount_basis_points ?? 0) / 100 : 100,
    recordsPayments: !isLimited || data?.counsellors_record_payments === true,
  }
}
