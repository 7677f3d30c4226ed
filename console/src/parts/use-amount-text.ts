import { useLanguage } from '../languages/language.ts'
import { formatMoney } from './format-money.ts'

/** Formats amounts for sentences. */
export function useAmountText(currency: string): (amount: number) => string {
  const language = useLanguage()
  return (amount) => formatMoney(amount, currency, language)
}

/** Formats amounts of several currencies for sentences. */
export function useMoneyText(): (amount: number, currency: string) => string {
  const language = useLanguage()
  return (amount, currency) => formatMoney(amount, currency, language)
}
