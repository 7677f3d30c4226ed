import { useSession } from '../app/session.tsx'
import { useCall } from '../calls/call.ts'

export interface Allowance {
  /** Whether the school limits this person's prices and payments. */
  isLimited: boolean
  /** Maximum discount in percent of the list price. */
  discountPercent: number
  recordsPayments: boolean
}

/** The limits of a counsellor. The service enforces them as well. */
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
