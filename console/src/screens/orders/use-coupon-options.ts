import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'
import { currentLanguage } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

/** The active coupons that apply to a currency, and those that an order already has, each with its discount. */
export function useCouponOptions(currency: string, own: string[] = []): { value: string; label: string }[] {
  useTranslation()
  const { data } = useCall('listCoupons', { page_size: 1000 })
  return (data?.list ?? [])
    .filter(({ coupon_id, is_active, amount, currency: of, uses, max_uses }) => {
      const fits = amount === null || of === currency
      const isLeft = max_uses === null || uses < max_uses
      return own.includes(coupon_id) || (is_active && fits && isLeft)
    })
    .map(({ coupon_id, amount, basis_points }) => {
      const discount =
        amount === null ? `${(basis_points ?? 0) / 100} %` : formatMoney(amount, currency, currentLanguage())
      return { value: coupon_id, label: `${coupon_id} (−${discount})` }
    })
}
