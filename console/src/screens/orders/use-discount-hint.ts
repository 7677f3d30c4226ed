import { useTranslation } from 'react-i18next'
import { useAllowance } from '../../parts/use-allowance.ts'

/** How much a counsellor may take off; undefined for those whom the school does not limit. */
export function useDiscountHint(): string | undefined {
  const { t } = useTranslation()
  const { isLimited, discountPercent } = useAllowance()
  if (!isLimited) return undefined
  return discountPercent === 0
    ? t('orders.noDiscount')
    : t('orders.discountUpTo', { percent: discountPercent })
}
