import { useTranslation } from 'react-i18next'
import type { Language } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

/** Amounts of an order, as sentences name them. */
export function useAmountText(currency: string): (amount: number) => string {
  const { i18n } = useTranslation()
  return (amount) => formatMoney(amount, currency, i18n.language as Language)
}
