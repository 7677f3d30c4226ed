import { useTranslation } from 'react-i18next'
import { useAllowance } from '../../parts/use-allowance.ts'

/** The discount limit of a counsellor; undefined without a limit. */
export function useDiscountHint(): string | undefined {
  const { t } = useTranslation()
  const { isLimited, discountPercent } = useAllowance()
  if (!isLimited) return undefined
  return discountPercent === 0
    ? t('orders.noDiscount')
    : t('orders.discountUpTo', { percent: discountPercent })
}
